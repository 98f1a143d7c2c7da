from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import is_accelerator_prefix, machine, tpu_type_of
from clusterprint.derived import image_builds
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM188", severity=Severity.ERROR, source="Google Cloud: creating custom images", firm=True)
def image_builder_not_usable(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """The machine type cannot build the image: it has other processors, or needs more than a machine.

    What is installed on Arm processors does not run on x86, and the other way round. Machines with GPU
    networks need those networks, and machines with TPUs cannot be created as virtual machines.

    Leave `machine_type` out, or use an ordinary machine; for drivers, one with GPUs and a single network.
    """
    build = nodes.image_build
    if build is UNSET or build.machine_type is UNSET:
        return
    name, its = build.machine_type, machine(build.machine_type)
    found = machine(nodes.machine_type)
    why = ""
    if tpu_type_of(name) is not None or (its is None and is_accelerator_prefix(name)):
        why = "cannot be used to build an image"
    elif its and (its.network.extra_vpcs or its.network.rdma_vpcs):
        why = "needs GPU networks, which build machines do not have"
    elif its and found and its.architecture != found.architecture:
        why = f"has {its.architecture} processors, but {found.name} has {found.architecture}"
    if why:
        usual = image_builds.usual_machine(nodes)
        yield Finding(
            f"{name} {why}",
            context.at(build, "machine_type"),
            also=(context.at(nodes, "machine_type", text="the nodes"),),
            help=f"leave it out for {usual}, or use a machine like that",
        )
