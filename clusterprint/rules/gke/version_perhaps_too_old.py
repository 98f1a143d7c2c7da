from collections.abc import Callable

from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Label
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.gke._versions import help_text, pools_lacking, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_USES: dict[str, Callable[[NodePool], bool]] = {
    "tcpx": lambda pool: node_pools.layout(pool).gpudirect == "TCPX",
    "tcpxo": lambda pool: node_pools.layout(pool).gpudirect == "TCPXO",
    "fast-socket": lambda pool: pool.fast_socket,
    "second-network-on-ubuntu": lambda pool: pool.second_network and pool.image_type == "ubuntu_containerd",
    "h4d-unreserved": lambda pool: node_pools.kind(pool) == "h4d" and pool.capacity.model != "reservation",
}

_WORDS = {
    "tcpx": "TCPX",
    "tcpxo": "TCPXO",
    "fast-socket": "NCCL Fast Socket",
    "second-network-on-ubuntu": "a second network on Ubuntu",
    "h4d-unreserved": "H4D without a reservation",
}


@rule("GKE074", severity=Severity.WARNING, source="Cluster Toolkit: gke-node-pool module, gpu_direct.tf")
def version_perhaps_too_old(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """The version of GKE is older than those that something in the cluster is known to work with.

    GPUDirect, NCCL Fast Socket, H4D without a reservation, a second network on Ubuntu and the Ray operator
    were tested from certain versions on. With older ones the cluster is made, but jobs fail or are slow.

    Write the version that the help names; if it says so, `version` may also be left out, for the default of
    the release channel.
    """
    version = version_of(cluster)
    if version is None:
        return
    ray = catalog.gke_feature("ray-operator")
    if cluster.addons.ray and not ray.is_in(version):
        other = context.at(cluster.addons, "ray", text="the Ray operator")
        yield _finding(cluster, context, "the Ray operator", other, ray.first_after(version))
    for pool, name, feature in pools_lacking(cluster, context, _USES):
        other = machine_label(pool, context)
        yield _finding(cluster, context, _WORDS[name], other, feature.first_after(version))


def _finding(
    cluster: Cluster, context: Context[KubernetesBlueprint], what: str, other: Label, version: str
) -> Finding:
    return Finding(
        f"GKE {cluster.version} is older than the versions that {what} is known to work with",
        context.at(cluster, "version"),
        also=(other,),
        help=help_text(version, cluster, context),
    )
