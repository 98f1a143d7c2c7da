"""Roles that cover nearly everything in a project."""

from collections.abc import Iterator

from clusterprint.blueprint.part import Part
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding

_BASIC = ("roles/owner", "roles/editor")


def basic(part: Part, context: Context, who: str, help: str) -> Iterator[Finding]:
    """A finding for each basic role in the `roles` of a part, which lets `who` do nearly everything."""
    for index, role in values(part, "roles"):
        if role in _BASIC:
            yield Finding(
                f"{role} lets {who} change nearly everything in the project",
                context.at(part, "roles", index),
                help=help,
            )
