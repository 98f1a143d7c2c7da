from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.workloads import Nccl
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE141", severity=Severity.WARNING, source="clusterprint: settings that nothing uses")
def plugin_setting_unused(nccl: Nccl, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """There are settings of NCCL plug-ins, but no pool that gets one.

    Plug-ins are put on nodes that are connected to networks of their GPUs.

    Leave the settings out, or check the machine types of your pools.
    """
    layouts = list(known(context.blueprint.node_pools, node_pools.layout))
    if len(layouts) < len(context.blueprint.node_pools) or any(
        layout.gpudirect != "none" for _, layout in layouts
    ):
        return
    for field in ("plugin_image", "device_injector_image", "daemon_image"):
        if given(getattr(nccl, field)):
            yield Finding(
                f"{field} is given, but no pool has networks for its GPUs",
                context.at_key(nccl, field),
                help="leave it out",
            )
