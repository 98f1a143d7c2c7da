from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived import existing
from clusterprint.derived.provisioner import provisions_queued
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("GKE112", severity=Severity.ERROR, source="Kueue: cluster queues", firm=True)
def queues_without_pools(kueue: Kueue, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """There are queues, but no node pools that their jobs could run on.

    Each node pool is a flavor of the cluster queue, with what its nodes hold as quota, and so are the pools
    that the slice provisioner creates. Kueue refuses a cluster queue without flavors.

    Add a node pool, or the slice provisioner.
    """
    if not existing.pools(context.blueprint) and not _are_provisioned(context.blueprint):
        yield Finding(
            "there are queues, but no node pools for their jobs",
            context.at_key(kueue),
            help="add a pool to node_pools, or `tpu_provisioner: {}` to the workloads and an exclusion of "
            "upgrades with until_end_of_support: true to cluster.maintenance",
        )


def _are_provisioned(blueprint: KubernetesBlueprint) -> bool:
    provisioner = blueprint.workloads.tpu_provisioner if isinstance(blueprint, GkeBlueprint) else UNSET
    return given(provisioner) and provisions_queued(provisioner)
