from clusterprint.blueprint.gke.inference import Inference
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived.gateways import releases
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, given, known, rule


@rule("GKE353", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def model_repeated(workloads: Workloads, context: Context) -> Iterator[Finding]:
    """Two models, or a model and a chart, have the same name, or two objectives in one namespace.

    A model is identified by its name, in the Terraform state and as a release of Helm; an objective by its
    name in the namespace of its model.

    Give one of them another name.
    """
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
