"""Features that need a version of GKE."""

from typing import NamedTuple

from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.catalog import GkeFeature, GkeVersion
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import Context, Iterator, given, known

# Those that GPUDirect-TCPX is for, with all GPUs of a machine.
_BLOCKED_SERIES = "a3-high"
_WHOLE_MACHINE = 8


def version_of(cluster: Cluster) -> GkeVersion | None:
    """The version that was asked for; None if it is left to the release channel."""
    return catalog.gke_version(cluster.version) if given(cluster.version) else None


class Lacking(NamedTuple):
    """A version that lacks a feature, where it was written, the first version with it, and what to write."""

    version: str
    place: Label
    first: str
    advice: str


def lacking(feature: GkeFeature | str, context: Context[KubernetesBlueprint]) -> Lacking | None:
    """The version that was asked for, if it lacks a feature; None if it is left to the release channel."""
    cluster = context.blueprint.cluster
    version = version_of(cluster)
    feature = catalog.gke_feature(feature) if isinstance(feature, str) else feature
    if version is None or feature.is_in(version):
        return None
    first = feature.first_after(version)
    advice = help_text(first, cluster, context)
    return Lacking(str(cluster.version), context.at(cluster, "version"), first, advice)


class Machines(NamedTuple):
    """A pool, and since when GKE has its machines."""

    pool: NodePool
    since: GkeFeature


def pools_with_minimum(context: Context[KubernetesBlueprint]) -> Iterator[Machines]:
    """Pools of machines that GKE has not always had."""
    for pool, kind in known(context.blueprint.node_pools, node_pools.kind):
        since = catalog.gke_with(kind)
        if since:
            yield Machines(pool, since)


def blocked_pools(
    context: Context[KubernetesBlueprint], version: GkeVersion
) -> Iterator[tuple[NodePool, str]]:
    """Pools whose machines GKE has lost again in a version, with the version that has them back."""
    back = catalog.gke_feature("tcpx").back_in(version)
    for pool, machine in known(context.blueprint.node_pools, node_pools.machine):
        if back and machine and machine.series == _BLOCKED_SERIES and machine.gpus == _WHOLE_MACHINE:
            yield pool, back


def default_version(cluster: Cluster) -> GkeVersion | None:
    """The default of the release channel, as it was last seen."""
    return catalog.gke_version(catalog.gke_channels().defaults[cluster.release_channel])


def help_text(version: str, cluster: Cluster, context: Context[KubernetesBlueprint]) -> str:
    """To write this version; or none, if the default of the channel has the machines of all pools."""
    written = f"write version: {version} or later"
    return f"{written}, or remove version" if default_has_machines(cluster, context) else written


def default_has_machines(cluster: Cluster, context: Context[KubernetesBlueprint]) -> bool:
    """Whether the default of the release channel, as last seen, takes the machines of all pools."""
    # A channel that cannot be read takes the advice away, and not the finding that it is for.
    default = next((found for _, found in known([cluster], default_version)), None)
    if default is None:
        return False
    lacking = any(not since.is_in(default) for _, since in pools_with_minimum(context))
    return not lacking and not any(blocked_pools(context, default))
