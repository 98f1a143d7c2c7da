"""What needs a version of GKE."""

from collections.abc import Callable, Iterator, Mapping

from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.catalog import GkeFeature, GkeVersion
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given


def version_of(cluster: Cluster) -> GkeVersion | None:
    """The version that was asked for; None if it is left to the release channel."""
    return catalog.gke_version(cluster.version) if given(cluster.version) else None


def pools_lacking(
    cluster: Cluster, context: Context[KubernetesBlueprint], uses: Mapping[str, Callable[[NodePool], bool]]
) -> Iterator[tuple[NodePool, str, GkeFeature]]:
    """Pools that use a feature which the version does not have yet, with the feature's name."""
    version = version_of(cluster)
    if version is None:
        return
    for name, needs in uses.items():
        feature = catalog.gke_feature(name)
        for pool, needed in known(context.blueprint.node_pools, needs):
            if needed and not feature.is_in(version):
                yield pool, name, feature
