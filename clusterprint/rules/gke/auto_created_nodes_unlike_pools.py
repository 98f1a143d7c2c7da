from clusterprint import catalog
from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import auto_creation
from clusterprint.rules.gke._pools import machine_label, machines_of
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule(
    "GKE412", severity=Severity.ERROR, source="Google Cloud: about custom compute classes in GKE", firm=True
)
def auto_created_nodes_unlike_pools(
    compute_class: ComputeClass, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """Auto-created nodes of a compute class differ from the nodes of its pools.

    Pods are made for the pools: they ask for a number of GPUs of one model, and for their networks. They
    never run on other nodes, so GKE would create none.

    Use the machine type of the pools, or one with as many GPUs of the same model.
    """
    nodes = compute_class.auto_create
    if nodes is UNSET or catalog.machine(nodes.machine_type) is None:
        return
    wanted = machines_of(auto_creation.as_pool(compute_class, nodes))
    for pool, (name, sort) in known(
        context.blueprint.node_pools, lambda each: (each.name, machines_of(each))
    ):
        if name in compute_class.prefer and sort != wanted:
            yield Finding(
                f"pods of compute class {compute_class.name} that run on pool {name} cannot run on "
                f"{nodes.machine_type}: it has other GPUs or networks than {pool.machine_type}",
                context.at(nodes, "machine_type"),
                also=(machine_label(pool, context),),
                help=f"write machine_type: {pool.machine_type}",
            )
            return
