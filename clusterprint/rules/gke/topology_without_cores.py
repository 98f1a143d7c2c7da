from clusterprint.blueprint.gke.hardware import NodeSystem
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE328",
    severity=Severity.WARNING,
    source="Kubernetes: control topology management policies on a node",
)
def topology_without_cores(system: NodeSystem, context: Context) -> Iterator[Finding]:
    """A policy of the topology manager is set, but pods have no cores of their own.

    The topology manager asks the CPU manager which cores a pod gets. Without a static one pods run on any,
    near the GPU and the memory or not.

    Write `cpu_manager: static`.
    """
    if given(system.topology_manager) and system.cpu_manager == "none":
        yield Finding(
            "the topology manager cannot keep cores near GPUs: pods have no cores of their own",
            context.at_key(system, "topology_manager"),
            help="write cpu_manager: static",
        )
