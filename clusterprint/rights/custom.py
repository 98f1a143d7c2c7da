"""A role of one's own with exactly what is needed, as the clouds' command lines take it."""

from typing import Any

from clusterprint.rights.needs import Need, Task

_ABOUT = "What Terraform needs to {task} the stacks of clusterprint, and nothing else"


def custom_role(need: Need, task: Task) -> dict[str, Any]:
    """The definition, for `gcloud iam roles create` or `az role definition create`."""
    title, about = f"clusterprint {task}", _ABOUT.format(task=task)
    if need.scope.cloud == "google":
        return {
            "title": title,
            "description": about,
            "stage": "GA",
            "includedPermissions": list(need.permissions[task]),
        }
    return {
        # Names are unique in a tenant, and a role of one subscription or group is no other one's.
        "Name": " ".join((title, *need.scope.name.split("/resourceGroups/"))),
        "IsCustom": True,
        "Description": about,
        "Actions": list(need.permissions[task]),
        "NotActions": [],
        "DataActions": [],
        "NotDataActions": [],
        "AssignableScopes": [f"/subscriptions/{need.scope.name}"],
    }
