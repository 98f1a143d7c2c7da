from collections.abc import Iterator

from clusterprint import catalog
from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE411", severity=Severity.ERROR, source="Google Cloud: about node pool auto-creation", firm=True)
def auto_created_nodes_refused(nodes: AutoCreation, context: Context) -> Iterator[Finding]:
    """GKE is to make pools of machines that it cannot make as pods need them, or that nobody knows.

    Pools that GKE makes have the cluster's network only: machines whose GPUs talk over networks of their own
    would be paid for and not used, and jobs would wait for interfaces. Slices of TPUs are pools of a shape.

    Take machines without networks of their own, or put these into a pool of `node_pools`.
    """
    machine = catalog.machine(nodes.machine_type)
    if catalog.tpu_type_of(nodes.machine_type):
        why = "has TPUs, whose slices are pools of the blueprint"
    elif machine is None:
        why = "is not known"
    elif machine.network.fabric != "none":
        why = f"has networks of its own, for {machine.network.fabric_in_words}"
    else:
        return
    yield Finding(
        f"GKE cannot make pools for pods of this class: {nodes.machine_type} {why}",
        context.at(nodes, "machine_type"),
        help="take another machine type, or make it a pool of node_pools",
    )
