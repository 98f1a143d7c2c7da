from collections.abc import Iterator

from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.gke._versions import default_version
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE325", severity=Severity.WARNING, source="Google Cloud: GKE release notes; GKE managed DRANET")
def channel_perhaps_without_managed_networks(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A pool has managed networks, and the default version of the release channel may be too old.

    Without `version` a new cluster gets the channel's default. The default when last seen is older than the
    first version with DRANET. Defaults rise every few weeks, so today's may be new enough.

    Write the version that the help names, if the channel offers it, or choose a newer channel.
    """
    version = default_version(cluster)
    feature = catalog.gke_feature("dranet")
    if version is None or given(cluster.version) or given(cluster.existing) or feature.is_in(version):
        return
    pools = known(context.blueprint.node_pools, node_pools.network_profile)
    pool = next((pool for pool, profile in pools if profile), None)
    if pool is None:
        return
    channels = catalog.gke_channels()
    default = channels.defaults[cluster.release_channel]
    yield Finding(
        f"the default of release channel {cluster.release_channel} was {default} when last seen "
        f"({channels.date}), which has no managed networks for accelerators yet",
        context.at(cluster, "release_channel"),
        also=(machine_label(pool, context),),
        help=f"write version: {feature.first_after(version)}",
    )
