from clusterprint import catalog
from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE411", severity=Severity.ERROR, source="Google Cloud: about node pool auto-creation", firm=True)
def auto_created_nodes_refused(nodes: AutoCreation, context: Context) -> Iterator[Finding]:
    """The machine type of auto-created nodes cannot be used for that, or is not known.

    Auto-created pools have the cluster's network only: machines whose GPUs talk over networks of their own
    would be paid for but not used, and jobs would wait for interfaces. TPU slices are pools with a topology.

    Use machines without networks of their own, or add a pool to `node_pools`.
    """
    machine = catalog.machine(nodes.machine_type)
    if catalog.tpu_type_of(nodes.machine_type):
        why = "has TPUs, whose slices are pools of the blueprint"
    elif machine is None:
        why = "is not in the catalog"
    elif machine.network.fabric != "none":
        why = f"has networks of its own, for {machine.network.fabric_in_words}"
    else:
        return
    yield Finding(
        f"GKE cannot create pools for this compute class: {nodes.machine_type} {why}",
        context.at(nodes, "machine_type"),
        help="use another machine type, or add a pool to node_pools",
    )
