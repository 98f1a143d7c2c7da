from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE016", severity=Severity.WARNING, source="Cluster Toolkit: gke-node-pool module")
def block_of_shared_reservation(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A pool uses one block of another project's reservation.

    A shared reservation serves node pools as a whole; Cluster Toolkit reports that GKE does not let them
    choose a block of it.

    Remove the part from `/reservationBlocks/` on, or ask Google whether it works by now.
    """
    name = pool.capacity.reservation
    if not given(name) or "/reservationBlocks/" not in name or not name.startswith("projects/"):
        return
    project = name.split("/")[1]
    if project != context.blueprint.project:
        yield Finding(
            f"pool {pool.name} uses a block of a reservation of {project}, which GKE is known to refuse",
            context.at(pool.capacity, "reservation"),
            also=(context.at(context.blueprint, "project", text="the project of the cluster"),),
            help=f"write reservation: {name.partition('/reservationBlocks/')[0]}",
        )
