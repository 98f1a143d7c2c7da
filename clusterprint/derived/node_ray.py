"""Ray on the nodes of `kind: vm`: what they are told of it, for resolve and for rules."""

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import durations, node_groups, state_names
from clusterprint.derived.state import state_root
from clusterprint.plan.vm_nodes import RayPlan


def ray(blueprint: VmBlueprint, group: VmNodes) -> RayPlan | None:
    """The Ray settings of the nodes of a group; None without Ray."""
    asked = blueprint.bootstrap.ray
    if asked is UNSET:
        return None
    variant = "-gpu" if any(map(node_groups.has_gpus, node_groups.groups(blueprint))) else ""
    official = f"rayproject/ray:{asked.version}-py312{variant}"
    return RayPlan(
        image=official if asked.image is UNSET else asked.image,
        bucket=blueprint.backend.gcs.bucket,
        object=state_names.ray_head(state_root(blueprint)),
        autostop_seconds=0 if asked.autostop is UNSET else durations.seconds(asked.autostop),
        leads=asked.head_group in (UNSET, node_groups.group_name(group)),
    )
