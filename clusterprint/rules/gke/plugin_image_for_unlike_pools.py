from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.workloads import Nccl
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, listed, rule


@rule(
    "GKE140",
    severity=Severity.ERROR,
    source="GoogleCloudPlatform: container-engine-accelerators, NCCL plug-in installers",
)
def plugin_image_for_unlike_pools(nccl: Nccl, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """One NCCL plug-in is given for pools that need different ones.

    Each way in which GPUs talk to each other over the network (TCPX, TCPXO, RoCE) has a plug-in of its own,
    and so has each processor architecture. With the wrong plug-in, jobs do not start.

    Leave `plugin_image` out: each pool then gets the plug-in that belongs to its GPUs.
    """
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
