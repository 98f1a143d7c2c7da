from clusterprint.blueprint.vmss_nodes import HealthChecks
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ052", severity=Severity.WARNING, source="Azure: automatic instance repairs")
def repair_without_checks(checks: HealthChecks, context: Context) -> Iterator[Finding]:
    """Azure repairs nodes that fail their health checks, but the checks do not run by themselves.

    A node says that it is unhealthy after a check that failed. Without checks at provisioning that happens
    only when somebody runs them.

    Remove `at_provisioning: false`, or `repair`.
    """
    if checks.repair is not UNSET and not checks.at_provisioning:
        yield Finding(
            "nodes are repaired when their health checks fail, but these run only by hand",
            context.at_key(checks, "repair"),
            also=(context.at(checks, "at_provisioning", text="disabled here"),),
            help="remove at_provisioning: false, or repair",
        )
