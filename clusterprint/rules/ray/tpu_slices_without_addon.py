from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY033", severity=Severity.WARNING, source="Google Cloud: TPUs on GKE with KubeRay")
def tpu_slices_without_addon(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """Workers run on TPU slices of several hosts, without Google's add-on.

    The add-on brings a webhook that tells each worker its place in the slice. The chart does not, and JAX
    does not start on the slice until that webhook is installed, too.

    Write `operator: addon`, or install the webhook yourself.
    """
    pools = [pool for pool in pools_of(worker, context) if node_pools.nodes_per_slice(pool) > 1]
    if pools and context.blueprint.ray.operator == "chart":
        yield Finding(
            f"nothing tells workers {worker.name} their place in a slice",
            context.at(context.blueprint.ray, "operator"),
            also=(context.at(worker, "name", text="the workers"),),
            help="write `operator: addon`, or install the webhook for TPUs yourself",
        )
