from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_containers, node_settings, node_system, volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM091", severity=Severity.ERROR, source="Google Cloud: Cloud NAT overview")
def setup_without_internet(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Nodes that reach nothing outside Google need software from there.

    A GPU driver, DCGM, the Ops Agent, JupyterLab, Slurm, NCCL's plug-in for RoCE, Docker and, where the image
    lacks them, Open MPI, clients of file systems, Cloud Storage FUSE for mounted buckets and jq for lists of
    nodes come from the internet, and so does a container whose image is in no registry of Google (`pkg.dev`,
    `gcr.io`). An image that is built gets its packages from there, too. Without NAT or a public address their
    step fails, and with it the setup of the node. Container-Optimized OS has Docker, and its drivers come
    from Google.

    Remove `nat: false`, or use an image that has everything; then ignore this problem, with a reason.
    """
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
