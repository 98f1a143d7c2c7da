from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.google._placement import needs_workload_policy
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP048", severity=Severity.ERROR, source="Google Cloud: create a managed instance group with A4X")
def workload_policy_missing(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type requires a workload policy, but another placement is set.

    The workload policy is what puts A4X machines into one NVLink domain. It excludes any other policy.

    Remove the policy, or write `policy: workload`.
    """
    policy = nodes.placement.policy
    if policy not in ("none", "compact"):
        return
    found = machine(nodes.machine_type)
    if found is None or not needs_workload_policy(found):
        return
    yield Finding(
        f"{found.name} needs a workload policy, not policy: {policy}",
        context.at(nodes.placement, "policy"),
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help="remove policy, or write policy: workload",
    )
