from clusterprint.blueprint.gke.pools import Autoscaling
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE002",
    severity=Severity.ERROR,
    source="Terraform provider google: google_container_node_pool",
    firm=True,
)
def autoscaling_bounds_reversed(autoscaling: Autoscaling, context: Context) -> Iterator[Finding]:
    """The minimum number of nodes is greater than the maximum.

    No number of nodes fits; GKE refuses the pool.

    Swap the two, or write the number that was meant.
    """
    if autoscaling.min > autoscaling.max:
        yield Finding(
            f"the minimum of {autoscaling.min} nodes is greater than the maximum of {autoscaling.max}",
            context.at(autoscaling, "min"),
            also=(context.at(autoscaling, "max", text="the maximum"),),
            help=f"write min: {autoscaling.max} and max: {autoscaling.min} if they were swapped",
        )
