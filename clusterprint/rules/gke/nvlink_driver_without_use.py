from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import compute_domains
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule(
    "GKE250",
    severity=Severity.WARNING,
    source="NVIDIA: DRA driver for GPUs, ComputeDomains",
)
def nvlink_driver_without_use(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """NVIDIA's driver for NVLink between nodes is installed, but no pool has machines with it.

    Only machines of an NVLink domain, such as A4X, share memory between nodes. The driver's pods run on no
    others.

    Remove `nvidia_dra`, or add a pool of such machines.
    """
    if given(workloads.nvidia_dra) and not any(
        domain for _, domain in known(context.blueprint.node_pools, compute_domains.domain_nodes)
    ):
        yield Finding(
            "nvidia_dra is installed, but no pool has NVLink between its nodes",
            context.at_key(workloads, "nvidia_dra"),
            help="remove it, or add a pool of A4X machines",
        )
