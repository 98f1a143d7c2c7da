from collections.abc import Callable

from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._versions import help_text, pools_lacking, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_USES: dict[str, Callable[[NodePool], bool]] = {
    "flex-start-gpu": lambda pool: pool.capacity.model == "flex_start" and node_pools.tpu(pool) is None,
    "flex-start-tpu": lambda pool: pool.capacity.model == "flex_start" and node_pools.tpu(pool) is not None,
    "secondary-boot-disk": lambda pool: bool(pool.secondary_boot_disks),
    "dranet": lambda pool: bool(node_pools.network_profile(pool)),
    "mps": lambda pool: given(pool.gpu.sharing) and pool.gpu.sharing.strategy == "mps",
    "confidential-gpus": lambda pool: given(pool.confidential) and node_pools.has_gpus(pool),
}

_WORDS = {
    "flex-start-gpu": "flex-start",
    "flex-start-tpu": "flex-start for TPUs",
    "secondary-boot-disk": "secondary boot disks",
    "dranet": "managed networks of accelerators (DRANET)",
    "mps": "GPU sharing by MPS",
    "confidential-gpus": "confidential nodes with GPUs",
}


@rule(
    "GKE073",
    severity=Severity.ERROR,
    source="Google Cloud: flex-start in GKE, confidential nodes, managed DRANET; Terraform provider google",
)
def version_too_old(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A pool uses something that the version of GKE does not have yet.

    GKE refuses the pool: flex-start, secondary boot disks, MPS, confidential GPUs and managed networks came
    with certain versions.

    Write the version that the help names; if it says so, `version` may also be left out, for the default of
    the release channel.
    """
    version = version_of(cluster)
    for pool, name, feature in pools_lacking(cluster, context, _USES):
        if version:
            yield Finding(
                f"GKE {cluster.version} has no {_WORDS[name]} yet, which pool {pool.name} uses",
                context.at(cluster, "version"),
                also=(context.at(pool, "name", text="the pool"),),
                help=help_text(feature.first_after(version), cluster, context),
            )
