from clusterprint import catalog
from clusterprint.blueprint.gke.maintenance import DisruptionBudget
from clusterprint.derived import durations
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_DAY = 86_400


@rule(
    "GKE272",
    severity=Severity.ERROR,
    source="Google Cloud: control the frequency of disruption from auto-upgrades",
)
def disruption_budget_too_long(budget: DisruptionBudget, context: Context) -> Iterator[Finding]:
    """The interval between two upgrades is longer than GKE allows.

    GKE refuses an interval of more than 90 days.

    Shorten it; to stop upgrades for longer, add an exclusion.
    """
    most = catalog.gke_limits().days_between_upgrades
    for field, interval in (("minor", budget.minor), ("patch", budget.patch)):
        if interval is not UNSET and durations.seconds(interval) > most * _DAY:
            yield Finding(
                f"GKE does not wait {interval} between two upgrades",
                context.at(budget, field),
                help=f"write at most {most}d; exclusions stop upgrades for longer",
            )
