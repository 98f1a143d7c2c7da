from collections.abc import Iterator

from clusterprint.blueprint.machines import VmPlacement
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM166", severity=Severity.ERROR, source="Compute Engine API: ResourcePolicy", firm=True)
def existing_policy_of_unknown_sort(placement: VmPlacement, context: Context) -> Iterator[Finding]:
    """A placement policy that is there is to be used, and `policy` does not say of which sort it is.

    A compact policy is carried by each node, a workload policy by their group. Which of the two an existing
    policy is, its name does not tell.

    Write `policy: compact` or `policy: workload` beside it.
    """
    if not given(placement.existing) or placement.policy in ("compact", "workload"):
        return
    yield Finding(
        f"policy does not say of which sort placement policy {placement.existing} is",
        context.at(placement, "existing"),
        also=(context.at(placement, "policy", text="no policy"),) if given(placement.policy) else (),
        help="write policy: compact or policy: workload",
    )
