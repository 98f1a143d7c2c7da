from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import NcclTest
from clusterprint.rules.gke._pools import gpus
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY044", severity=Severity.ERROR, firm=True)
def nothing_to_test(test: NcclTest, context: Context[RayBlueprint]) -> Iterator[Finding]:
    workers = context.blueprint.ray.workers
    if given(test.worker):
        found = next(
            (each for each, name in known(workers, lambda item: item.name) if name == test.worker), None
        )
    else:
        found = next((each for each in workers if any(gpus(pool) for pool in pools_of(each, context))), None)
    if found is None:
        if not given(test.worker) and all(pools_of(each, context) for each in workers):
            yield Finding("no workers have GPUs to test", context.at_key(test), help="remove nccl_test")
    elif not any(gpus(pool) for pool in pools_of(found, context)):
        if pools_of(found, context):
            yield Finding(f"workers {found.name} have no GPUs to test", context.at(test, "worker"))
    elif test.nodes > found.max:
        yield Finding(
            f"the test needs {test.nodes} workers, but {found.name} has at most {found.max}",
            context.at(test, "nodes"),
            also=(context.at(found, "max", text="the maximum"),),
            help=f"write nodes: {found.max}, or raise max",
        )
