from clusterprint.blueprint.machines import VmPlacement
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM166", severity=Severity.ERROR, source="Compute Engine API: ResourcePolicy", firm=True)
def existing_policy_of_unknown_sort(placement: VmPlacement, context: Context) -> Iterator[Finding]:
    """An existing placement policy is used, but its type is not given.

    A compact policy is attached to each node, a workload policy to their group. The name of an existing
    policy does not tell which of the two it is.

    Write `policy: compact` or `policy: workload` beside it.
    """
    if not given(placement.existing) or placement.policy in ("compact", "workload"):
        return
    yield Finding(
        f"the type of placement policy {placement.existing} is not given",
        context.at(placement, "existing"),
        also=(context.at(placement, "policy", text="no policy"),) if given(placement.policy) else (),
        help="write policy: compact or policy: workload",
    )
