from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_containers, node_images, node_settings, node_system
from clusterprint.derived.node_system import WITHOUT_APT
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule
from clusterprint.rules.vm._image import is_debian


@rule("VM092", severity=Severity.ERROR, firm=True)
def setup_on_other_system(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    project = node_images.project(nodes)
    windows = node_system.unsuitable(nodes)
    if windows:
        for what, place in (*_asked(nodes, context), *_packages(nodes, context)):
            yield _finding(what, windows, place, nodes, context)
    elif not node_system.takes_packages(nodes):
        for what, place in _packages(nodes, context):
            yield _finding(what, "Container-Optimized OS", place, nodes, context)
    elif project in WITHOUT_APT:
        for what, place in _from_apt(context):
            yield _finding(what, f"images of {project}", place, nodes, context)
    elif is_debian(nodes.image):
        for volume in context.blueprint.storage.volumes:
            if volume.kind == "lustre":
                what = f"the mount of volume {volume.name}"
                yield _finding(what, "Debian", context.at(volume, "mount"), nodes, context)


def _finding(what: str, system: str, place: Label, nodes: VmNodes, context: Context[VmBlueprint]) -> Finding:
    image = nodes.image
    return Finding(
        f"{what} cannot be set up on {system}",
        place,
        also=(
            context.at(nodes, "machine_type", text="their image, unless another is named")
            if image is UNSET
            else context.at(image, "project", text="the image"),
        ),
        help="remove it, or use another image",
    )


def _asked(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    for part in context.blueprint.files:
        if given(part.destination):
            yield f"a file at {part.destination}", context.at(part, "destination")
    if given(context.blueprint.wait):
        yield "a status to wait for", context.at_key(context.blueprint, "wait")
    if context.wrote(nodes, "scratch") and nodes.scratch.enabled:
        yield "a scratch disk", context.at_key(nodes, "scratch")
    if given(nodes.driver):
        yield "a driver", context.at(nodes, "driver")
    if nodes.docker:
        yield "Docker", context.at(nodes, "docker")
    container = node_containers.container_of(context.blueprint, nodes)
    if given(container):
        yield "a container", context.at(container, "image")


def _packages(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    """The settings that need packages, without defaults."""
    yield from _together(nodes, context)
    if nodes.health.enabled is True or nodes.health.repair:
        yield "an examination of the nodes", context.at_key(nodes, "health")
    if nodes.dcgm:
        yield "DCGM", context.at(nodes, "dcgm")
    if nodes.gpudirect is True and not cooperation.has_receiver(nodes):
        yield "NCCL", context.at(nodes, "gpudirect")


def _together(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    """The settings of all nodes of a cluster."""
    for volume in context.blueprint.storage.volumes:
        if given(volume.mount):
            yield f"the mount of volume {volume.name}", context.at(volume, "mount")
    cluster = context.blueprint.cluster
    if cluster.hosts is True:
        yield "lists of all nodes", context.at(cluster, "hosts")
    if cluster.ssh is True:
        yield "SSH between nodes", context.at(cluster, "ssh")
    yield from _agent(context)
    if given(context.blueprint.notebook) and node_settings.has_notebook(context.blueprint, nodes):
        yield "JupyterLab", context.at_key(context.blueprint, "notebook")
    if context.blueprint.bootstrap.ray is not UNSET:
        yield "Ray", context.at_key(context.blueprint.bootstrap, "ray")
    if context.blueprint.bootstrap.mpi is not UNSET:
        yield "MPI", context.at_key(context.blueprint.bootstrap, "mpi")
    yield from _slurm(context)
    if context.blueprint.benchmark.nccl is not UNSET:
        yield "NCCL's benchmark", context.at_key(context.blueprint.benchmark, "nccl")


def _from_apt(context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    """The settings that need repositories for apt."""
    for volume in context.blueprint.storage.volumes:
        if volume.kind in ("bucket", "lustre") and given(volume.mount):
            yield f"the mount of volume {volume.name}", context.at(volume, "mount")
    yield from _agent(context)
    yield from _slurm(context)


def _slurm(context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    if context.blueprint.bootstrap.slurm is not UNSET:
        yield "Slurm", context.at_key(context.blueprint.bootstrap, "slurm")


def _agent(context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    if context.blueprint.monitoring.ops_agent:
        yield "the Ops Agent", context.at(context.blueprint.monitoring, "ops_agent")
