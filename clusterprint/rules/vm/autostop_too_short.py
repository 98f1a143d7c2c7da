from clusterprint.blueprint.vm_ray import NodeRay
from clusterprint.derived import durations
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

# Nodes look once a minute, and people need a moment between two jobs.
_SHORTEST = 300


@rule("VM184", severity=Severity.ERROR, source="clusterprint: docs/nodes-vm.md", firm=True)
def autostop_too_short(ray: NodeRay, context: Context) -> Iterator[Finding]:
    """Nodes shut themselves down before the first job can begin.

    The head checks once a minute, and counts from its start: nobody would have the time to submit a job.

    Write five minutes or more.
    """
    if ray.autostop is not UNSET and durations.seconds(ray.autostop) < _SHORTEST:
        yield Finding(
            f"autostop is {ray.autostop}, but must be 5m or more",
            context.at(ray, "autostop"),
            help="write a time such as autostop: 1h",
        )
