from clusterprint.blueprint.gke.inference import Model
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule

_WAYS = ("leader_worker_set", "pods", "service")


@rule("GKE352", severity=Severity.ERROR, source="The blueprint language: exactly one of several", firm=True)
def model_not_served_once(model: Model, context: Context) -> Iterator[Finding]:
    """A model does not say what serves it, or says it twice.

    Requests go to the leaders of a LeaderWorkerSet, to pods with certain labels, or to a service.

    Write exactly one of `leader_worker_set`, `pods` and `service`.
    """
    said = [each for each in _WAYS if given(getattr(model, each)) and getattr(model, each)]
    if len(said) == 1:
        return
    yield Finding(
        f"model {model.name} is served by {listed(said, 'and')}"
        if said
        else f"nothing serves model {model.name}",
        context.at(model, said[1] if said else "name"),
        help=f"write exactly one of {listed(_WAYS, 'and')}",
    )
