"""Permissions needed to deploy: derived from the stacks with the catalog's table.

`needs` reads stacks, `roles` finds the narrow predefined roles for it, `custom` writes a role of its own.
"""

from clusterprint.rights.custom import custom_role
from clusterprint.rights.needs import TASKS, Need, Scope, Task, needs, together
from clusterprint.rights.roles import roles_for, roles_for_pull_requests

__all__ = [
    "TASKS",
    "Need",
    "Scope",
    "Task",
    "custom_role",
    "needs",
    "roles_for",
    "roles_for_pull_requests",
    "together",
]
