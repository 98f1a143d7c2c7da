from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import WorkerBounds
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("RAY073", severity=Severity.ERROR, firm=True)
def bounds_of_no_group(bounds: WorkerBounds, context: Context[RayBlueprint]) -> Iterator[Finding]:
    groups = {name: each for each, name in known(context.blueprint.ray.workers, lambda item: item.name)}
    group = groups.get(bounds.name)
    if group is None:
        return
    if not given(bounds.min) and not given(bounds.max):
        return
    least = bounds.min if given(bounds.min) else _least(bounds, group, context)
    most = bounds.max if given(bounds.max) else group.max
    if least > most:
        upper = context.at(bounds if given(bounds.max) else group, "max", text="the maximum")
        lower = context.at(group, "min", text="the minimum")
        place, other = ("min", upper) if given(bounds.min) else ("max", lower)
        yield Finding(
            f"workers {bounds.name} have a minimum of {least}, but a maximum of {most}",
            context.at(bounds, place),
            also=(other,),
            help="lower min or raise max" if given(bounds.min) else f"write min: {most} too, or raise max",
        )


def _least(bounds: WorkerBounds, group: Worker, context: Context[RayBlueprint]) -> int:
    """The minimum that is left out: the group's for a service, none for a job."""
    of_services = known(context.blueprint.ray.services, lambda service: service.workers)
    return group.min if any(bounds is each for _, said in of_services for each in said) else 0
