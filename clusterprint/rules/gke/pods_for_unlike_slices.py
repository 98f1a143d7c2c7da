from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pods import all_pods, pools_for
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule


@rule("GKE154", severity=Severity.WARNING, source="Google Cloud: deploy TPU workloads in GKE")
def pods_for_unlike_slices(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A manifest selects the TPU slices of several pools that differ in machine type or capacity.

    TPU type and topology do not tell pools apart: a topology of 2x4 is one machine with 8 chips, or two with
    4; a spot slice has the same labels as a reserved one. A job may then start on slices that Google takes
    away, use up a reservation, or wait forever because its pods are on hosts of different pools.

    Select one pool as well, by the label in the message.
    """
    del workloads
    for pods in all_pods(context):
        pools = [pool for pool in pools_for(pods, context) or () if node_pools.tpu(pool)]
        kinds = {(pool.machine_type, pool.capacity.model) for pool in pools}
        if len(kinds) < 2 or not pods.topology:  # noqa: PLR2004 - of one kind
            continue
        first = pools[0]
        label = node_pools.SLICES_LABEL if node_pools.slices(first) > 1 else "cloud.google.com/gke-nodepool"
        yield Finding(
            f"{pods.where} selects nodes of pools {listed([pool.name for pool in pools], 'and')}, "
            "which differ in machine type or capacity",
            pods.place(context),
            also=tuple(context.at(pool, "name", text="one of the pools") for pool in pools),
            help=f"add the label of one pool to nodeSelector, such as {label}: {first.name}",
        )
