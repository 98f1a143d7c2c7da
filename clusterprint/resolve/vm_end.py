"""Decisions about the end of a cluster of `kind: vm`."""

from collections.abc import Sequence

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import durations, names, node_groups, node_settings, node_system
from clusterprint.plan.vm import GroupPartPlan, NodeGroupPlan
from clusterprint.plan.vm_end import EndPlan, EndRequest, RetryPlan

#: What ending needs besides the APIs of every cluster.
SERVICES = ("cloudscheduler.googleapis.com",)

# To ask groups to delete or stop their nodes; the groups do it with rights of their own.
_PERMISSIONS = ("compute.instanceGroupManagers.get", "compute.instanceGroupManagers.update")

# A group that is busy, or a node that is just being recreated, may refuse for a while: tries after 5, 15, 35,
# 75 and 135 minutes.
_RETRY = RetryPlan(count=5, first_seconds=300, most_seconds=3600)


def resolve_end(blueprint: VmBlueprint, resolved: Sequence[NodeGroupPlan]) -> EndPlan | None:
    """None for a cluster without a time to live; `resolved` are the plans of its groups."""
    if blueprint.time_to_live is UNSET:
        return None
    name = blueprint.name
    told = [each for each in node_groups.groups(blueprint) if node_system.takes_packages(each)]
    return EndPlan(
        seconds=durations.seconds(blueprint.time_to_live),
        action=blueprint.time_to_live_action,
        account_id=names.end_account(name),
        display_name=f"Ends {name}",
        role_id=names.end_role(name),
        role_title=f"Ends {name}",
        permissions=_PERMISSIONS,
        requests=tuple(
            _request(blueprint, each, part) for each in resolved for part in each.group.parts if part.nodes
        ),
        retry=_RETRY,
        notice=node_settings.end_notice(blueprint) if told else None,
        message=f"The time to live of {name}, {blueprint.time_to_live}, is over. Give it a longer "
        "time_to_live, or begin a new one with the option -replace=terraform_data.end_begun, or destroy what "
        "is left. It ended at",
    )


def _request(blueprint: VmBlueprint, plan: NodeGroupPlan, part: GroupPartPlan) -> EndRequest:
    """Instances by name: whatever else came into the group is its owner's business."""
    deletes = blueprint.time_to_live_action == "delete"
    place = f"projects/{blueprint.project}/zones/{part.zone}/instanceGroupManagers/{part.name}"
    method = "deleteInstances" if deletes else "stopInstances"
    return EndRequest(
        # Names of groups have no such character, so no two requests share a key.
        key="_".join(filter(None, (plan.key, part.key))),
        job=names.end_job(plan.group.base_instance_name, part.key),
        uri=f"https://compute.googleapis.com/compute/v1/{place}/{method}",
        instances=tuple(f"zones/{part.zone}/instances/{node}" for node in part.nodes),
        skip_missing=deletes,
    )
