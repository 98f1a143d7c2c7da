from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_containers, node_settings, node_system, volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM091", severity=Severity.ERROR)
def setup_without_internet(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    network = context.blueprint.network
    if cooperation.may_install(context.blueprint, nodes):
        return
    if node_system.unsuitable(nodes):
        return
    container = node_containers.container_of(context.blueprint, nodes)
    packages = node_system.takes_packages(nodes)
    asked = {
        "the GPU driver": packages and given(nodes.driver),
        "Docker": packages and (nodes.docker or given(container) or given(context.blueprint.bootstrap.ray)),
        "Cloud Storage FUSE": packages and any(volumes.bucket_mounts(context.blueprint.storage)),
        "the NFS client": packages and _has(("filestore", "netapp"), context.blueprint),
        "the Lustre client": packages and _has(("lustre",), context.blueprint),
        "DCGM": nodes.dcgm,
        "the Ops Agent": packages and context.blueprint.monitoring.ops_agent,
        "JupyterLab": node_settings.notebook_port(context.blueprint, nodes) > 0,
        "NCCL": cooperation.gpudirect(nodes) == "roce",
        "Open MPI": cooperation.has_mpi(context.blueprint),
        "Slurm": cooperation.has_slurm(context.blueprint),
        "what the image is built with": packages and given(nodes.image_build),
        "jq for lists of nodes": packages and cooperation.hosts(context.blueprint),
        "the image of the container": given(container) and not node_containers.is_of_google(container.image),
    }
    wanted = [what for what, wants in asked.items() if wants]
    if wanted:
        yield Finding(
            f"{' and '.join(wanted)} would come from the internet, which the nodes cannot reach",
            context.at(network, "nat"),
            also=(context.at(nodes, "machine_type", text="these nodes"),),
            help="remove nat: false, or ignore this if the image has it",
        )


def _has(kinds: tuple[str, ...], blueprint: VmBlueprint) -> bool:
    return any(each.kind in kinds for each in blueprint.storage.volumes)
