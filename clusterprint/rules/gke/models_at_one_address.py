from collections.abc import Iterator

from clusterprint.blueprint.gke.inference import Inference, Model
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE355", severity=Severity.ERROR, source="Gateway API: conflicts between routes", firm=True)
def models_at_one_address(inference: Inference, context: Context) -> Iterator[Finding]:
    """Two models have the same host name and the same path.

    A request leads to one of them only: the older route wins, and the other model is never asked.

    Give one of them another path, or a host name of its own.
    """
    first: dict[tuple[str, str], Model] = {}
    for model, (hosts, path) in known(inference.models, lambda each: (each.hosts, each.path)):
        for host in hosts or ("any host",):
            before = first.setdefault((host, path.rstrip("/")), model)
            if before is not model:
                yield Finding(
                    f"models {before.name} and {model.name} are both at path {path} of {host}",
                    context.at(model, "path"),
                    also=(context.at(before, "path", text="the first one"),),
                    help="give one of them another path, or a host name of its own",
                )
                break
