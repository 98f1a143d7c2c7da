from clusterprint.blueprint.ray.ray import Worker
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY005", severity=Severity.ERROR, source="KubeRay: minReplicas and maxReplicas", firm=True)
def worker_bounds_reversed(worker: Worker, context: Context) -> Iterator[Finding]:
    """The minimum number of workers of a group is greater than its maximum.

    The autoscaler cannot obey both, and KubeRay refuses the Ray cluster.

    Lower `min` or raise `max`.
    """
    if worker.min > worker.max:
        yield Finding(
            f"workers {worker.name} have a minimum of {worker.min}, but a maximum of {worker.max}",
            context.at(worker, "min"),
            also=(context.at(worker, "max", text="the maximum"),),
            help="lower min, or raise max",
        )
