from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.workloads import Nccl
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, listed, rule


@rule("GKE140", severity=Severity.ERROR)
def plugin_image_for_unlike_pools(nccl: Nccl, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if not given(nccl.plugin_image):
        return
    needed = {
        f"{layout.gpudirect}{' on arm64' if machine.architecture == 'arm64' else ''}": None
        for _, (layout, machine) in known(
            context.blueprint.node_pools, lambda pool: (node_pools.layout(pool), node_pools.machine(pool))
        )
        if machine is not None and layout.gpudirect != "none"
    }
    if len(needed) > 1:
        yield Finding(
            f"one plug-in is given for pools with {listed(list(needed), 'and')}",
            context.at(nccl, "plugin_image"),
            help="leave it out: each pool gets the plug-in that belongs to its GPUs",
        )


@rule("GKE170", severity=Severity.WARNING)
def plugin_and_daemon_apart(nccl: Nccl, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if not given(nccl.plugin_image) and not given(nccl.daemon_image):
        return
    wanted = {layout.fabric for _, layout in known(context.blueprint.node_pools, node_pools.layout)}
    for name, fabric in catalog.fabrics().items():
        if fabric.fabric not in wanted or not fabric.daemon:
            continue
        plugin = _tag(nccl.plugin_image if given(nccl.plugin_image) else "", f"nccl-{name}")
        daemon = _tag(nccl.daemon_image if given(nccl.daemon_image) else "", f"nccl-{name}-daemon")
        known_daemons = fabric.pairs.get(plugin)
        both = given(nccl.plugin_image) and given(nccl.daemon_image)
        if (both and known_daemons is None) or daemon in (known_daemons or ()):
            continue  # nothing is known of versions of one's own
        field = "plugin_image" if given(nccl.plugin_image) else "daemon_image"
        goes = (
            f"goes with daemon {listed(known_daemons)}, not {daemon or 'one without a version'}"
            if known_daemons
            else f"may not go with the daemon {daemon or 'without a version'}"
        )
        yield Finding(
            f"the plug-in of {fabric.fabric} is {plugin or 'of no version'}, which {goes}",
            context.at(nccl, field),
            help="set both plugin_image and daemon_image, of one release, or neither",
        )


def _tag(image: str, component: str) -> str:
    """The version of an image, or of the pinned one."""
    if not image:
        return catalog.component(component).version
    return image.partition("@")[0].rpartition("/")[2].partition(":")[2]
