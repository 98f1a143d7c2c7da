from collections.abc import Iterator
from itertools import chain

from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.gke._versions import blocked_pools, default_version, pools_with_minimum
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE168", severity=Severity.WARNING, source="Google Cloud: GKE release notes")
def channel_perhaps_without_machines(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A pool has machines that the default version of the release channel may not have.

    Without `version` a new cluster gets the channel's default. The default when last seen is older than the
    first version with these machines, or one in which GKE refuses them. Defaults rise every few weeks, so
    today's may be new enough.

    Write the version that the help names, if the channel offers it, or choose a newer channel.
    """
    if given(cluster.version) or given(cluster.existing):
        return
    channels = catalog.gke_channels()
    default = channels.defaults[cluster.release_channel]
    version = default_version(cluster)
    if version is None:
        return
    was = f"the default of release channel {cluster.release_channel} was {default} when last seen "
    lacking = (
        (pool, f"which has no {pool.machine_type} yet", since.first_after(version))
        for pool, since in pools_with_minimum(context)
        if not since.is_in(version)
    )
    blocked = (
        (pool, f"in which GKE refuses pools of {pool.machine_type}", back)
        for pool, back in blocked_pools(context, version)
    )
    for pool, why, better in chain(lacking, blocked):
        yield Finding(
            f"{was}({channels.date}), {why}",
            context.at(cluster, "release_channel"),
            also=(machine_label(pool, context),),
            help=f"write version: {better}",
        )
