from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY033", severity=Severity.WARNING)
def tpu_slices_without_addon(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    pools = [pool for pool in pools_of(worker, context) if node_pools.nodes_per_slice(pool) > 1]
    if pools and context.blueprint.ray.operator == "chart":
        yield Finding(
            f"nothing tells workers {worker.name} their place in a slice",
            context.at(context.blueprint.ray, "operator"),
            also=(context.at(worker, "name", text="the workers"),),
            help="write `operator: addon`, or install the webhook for TPUs yourself",
        )
