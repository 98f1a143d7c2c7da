from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY124", severity=Severity.ERROR, source="Google Cloud: flex-start with queued provisioning in GKE")
def workers_on_queued_nodes(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """Ray workers run on nodes that are created only for queued requests.

    GKE creates nodes of a queued pool for a ProvisioningRequest only. Ray's autoscaler makes pods instead,
    for which no node ever comes.

    Remove `queued` from the capacity of the pool: flex-start nodes then come with the pods.
    """
    for pool, queued in known(pools_of(worker, context), lambda each: each.capacity.queued):
        if queued:
            yield Finding(
                f"workers {worker.name} run on pool {pool.name}, whose nodes are created only for queued "
                "requests",
                context.at(worker, "compute_class" if worker.pool is UNSET else "pool"),
                also=(context.at(pool.capacity, "queued", text="queued provisioning"),),
                help="remove queued from the capacity of the pool",
            )
