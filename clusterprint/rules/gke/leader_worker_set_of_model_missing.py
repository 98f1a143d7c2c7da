from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.inference import Model
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE354", severity=Severity.ERROR, source="Gateway API Inference Extension: InferencePool", firm=True)
def leader_worker_set_of_model_missing(model: Model, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A model is served by a LeaderWorkerSet that does not exist, or is in another namespace.

    The pool of a model takes pods of its own namespace only. Without any, requests fail.

    Name one of `workloads.leader_worker_sets`, and write its namespace.
    """
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
