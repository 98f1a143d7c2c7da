from clusterprint.blueprint.gke.inference import Model
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE357", severity=Severity.ERROR, source="Gateway API Inference Extension: InferenceObjective")
def model_setting_without_use(model: Model, context: Context) -> Iterator[Finding]:
    """A model behind a service says how its pods are chosen.

    A service spreads requests evenly: nothing looks at the metrics of its pods, or at objectives.

    Name the pods by their labels, in `pods`; or remove the settings.
    """
    if not given(model.service):
        return
    said = (("objectives", bool(model.objectives)), ("server", model.server != "vllm"))
    for field, written in said:
        if written:
            yield Finding(
                f"{field} of model {model.name} has no effect on a service",
                context.at(model, field),
                help="write `pods` with the labels of its pods instead of `service`, or remove it",
            )
