from collections.abc import Iterator

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import WorkerBounds
from clusterprint.diagnostic import Severity
from clusterprint.guesses import nearest
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean


@rule("RAY073", severity=Severity.ERROR, source="KubeRay: minReplicas and maxReplicas", firm=True)
def bounds_of_no_group(bounds: WorkerBounds, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """A job or a service has workers of a group that there is not, or a minimum of them above the maximum.

    Its Ray cluster has the groups of the blueprint, and no others. The autoscaler cannot obey a minimum above
    the maximum, and KubeRay refuses the Ray cluster.

    Name one of `ray.workers`; lower `min` or raise `max`.
    """
    groups = {name: each for each, name in known(context.blueprint.ray.workers, lambda item: item.name)}
    group = groups.get(bounds.name)
    if group is None:
        yield Finding(
            f"there is no group of workers {bounds.name}",
            context.at(bounds, "name"),
            help=did_you_mean(nearest(bounds.name, groups)),
        )
        return
    most = bounds.max if given(bounds.max) else group.max
    if given(bounds.min) and bounds.min > most:
        yield Finding(
            f"workers {bounds.name} have a minimum of {bounds.min}, but a maximum of {most}",
            context.at(bounds, "min"),
            also=(context.at(bounds if given(bounds.max) else group, "max", text="the maximum"),),
            help="lower min or raise max",
        )
