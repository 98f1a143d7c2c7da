from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.inference import Inference, Model
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived.gateways import releases
from clusterprint.rules._repeated import repeated
from clusterprint.rules.gke._gateways import at_one_address
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, given, known, rule


@rule("GKE353", severity=Severity.ERROR, firm=True)
def model_repeated(workloads: Workloads, context: Context) -> Iterator[Finding]:
    inference = workloads.inference
    if not given(inference):
        return
    yield from repeated(
        inference.models,
        context,
        lambda each: f"there are two models called {each.name}",
        help="give one of them another name",
    )
    charts = {key for _, key in known(workloads.charts, lambda each: (each.name, each.namespace))}
    for model, (names, home) in known(inference.models, lambda each: (releases(each), each.namespace)):
        for name in names:
            if (name, home) in charts:
                yield Finding(
                    f"model {model.name} is a release called {name} in namespace {home}, like a chart",
                    context.at(model, "name"),
                    help="give one of them another name",
                )
    yield from _objectives(inference, context)


def _objectives(inference: Inference, context: Context) -> Iterator[Finding]:
    listed = [
        (each, namespace)
        for _, (namespace, objectives) in known(inference.models, lambda one: (one.namespace, one.objectives))
        for each in objectives
    ]
    for (each, namespace), (before, _) in again(listed, lambda pair: (pair[1], pair[0].name)):
        yield Finding(
            f"namespace {namespace} has two objectives called {each.name}",
            context.at(each, "name"),
            also=(context.at(before, "name", text="the first one"),),
            help="give one of them another name",
        )


@rule("GKE354", severity=Severity.ERROR, firm=True)
def leader_worker_set_of_model_missing(model: Model, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    if not given(model.leader_worker_set):
        return
    groups = context.blueprint.workloads.leader_worker_sets
    names = {
        name: (each, home) for each, (name, home) in known(groups, lambda one: (one.name, one.namespace))
    }
    if len(names) < len(groups):
        return  # one of them cannot be read, or is there twice
    found = names.get(model.leader_worker_set)
    if found is not None and found[1] != model.namespace:
        yield Finding(
            f"model {model.name} is in namespace {model.namespace}, and LeaderWorkerSet "
            f"{model.leader_worker_set} in {found[1]}",
            context.at(model, "leader_worker_set"),
            also=(context.at(found[0], "namespace", text="its namespace"),),
            help=f"write namespace: {found[1]}",
        )


@rule("GKE355", severity=Severity.ERROR, firm=True)
def models_at_one_address(inference: Inference, context: Context) -> Iterator[Finding]:
    yield from at_one_address(inference.models, "models", lambda each: each.name, context)
