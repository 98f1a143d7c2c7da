from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.derived import node_drivers
from clusterprint.derived.node_system import DRIVER_PROJECTS
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("VM090", severity=Severity.ERROR)
def driver_not_installable(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if not given(nodes.driver):
        return
    place = context.at(nodes, "driver")
    if machine(nodes.machine_type) and not machine_with_gpus(nodes):
        yield Finding(
            f"{nodes.machine_type} has no GPUs that need a driver",
            place,
            also=(context.at(nodes, "machine_type", text="the machine type"),),
            help="remove driver",
        )
    elif nodes.image is UNSET:
        yield Finding(
            "the default image has its driver already", place, help="remove driver, or name another image"
        )
    elif nodes.image.project not in DRIVER_PROJECTS:
        early = node_drivers.needed_before_script(context.blueprint, nodes)
        in_script = "" if early else " and install it in startup_script"
        allowed = " and ".join(DRIVER_PROJECTS)
        yield Finding(
            f"a driver can be installed on images of {allowed} only, not on those of {nodes.image.project}",
            place,
            also=(context.at(nodes.image, "project", text="the image"),),
            help=f"remove driver{in_script}, or use an image that has it",
        )
