"""When the GPU driver of the nodes of `kind: vm` has to be there, for rules."""

from msgspec import UNSET
from msgspec.structs import replace

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_containers, vm_runs


def needed_before_script(blueprint: VmBlueprint, group: VmNodes) -> str:
    """The setting that uses the GPUs of a group before the start-up script runs; empty for none.

    The start-up script is the last step, so a driver that it installs is too late for these.
    """
    container = node_containers.container_of(blueprint, group)
    asked = {
        "dcgm": group.dcgm,
        "the benchmark": vm_runs.runs_on(blueprint, group),
        # A default only because of a `driver`; without that there is none.
        "health": cooperation.health(replace(group, driver=UNSET)) is not None,
        "the container": container is not UNSET and container.gpus is not False,
        "Ray": blueprint.bootstrap.ray is not UNSET,
    }
    return next((what for what, is_asked_for in asked.items() if is_asked_for), "")
