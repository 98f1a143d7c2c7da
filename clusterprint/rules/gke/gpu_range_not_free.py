from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.gke._cluster_ranges import needs_gpu_networks
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE293", severity=Severity.ERROR, source="Google Cloud: multi-network support for pods", firm=True)
def gpu_range_not_free(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """Nodes need GPU networks in an existing cluster, but no range is given for those.

    A node is in all of these networks at once, so their ranges must not overlap with those of the cluster,
    which are not known here.

    Write `network.gpu_cidr`: a range that the network of the cluster does not use.
    """
    existing = blueprint.cluster.existing
    if given(existing) and needs_gpu_networks(blueprint) and not given(blueprint.network.gpu_cidr):
        yield Finding(
            "the networks between GPUs need a range that the existing cluster does not use",
            context.at_key(blueprint, "node_pools"),
            also=(context.at_key(blueprint.cluster, "existing", text="the existing cluster"),),
            help="write network: {gpu_cidr: RANGE} with a free range, or gpu_networks: false for the pools",
        )
