from clusterprint.blueprint.machines import Placement
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("GCP042", severity=Severity.ERROR, source="Terraform provider google: google_compute_resource_policy")
def distance_without_workload_policy(placement: Placement, context: Context) -> Iterator[Finding]:
    """A maximum distance between nodes is set without a workload policy.

    Only workload policies support `max_topology_distance`; other policies would ignore it.

    Write `policy: workload`, or remove the distance.
    """
    if not given(placement.max_topology_distance) or placement.policy == "workload":
        return
    written = placement.policy is not UNSET
    yield Finding(
        "max_topology_distance needs policy: workload" + (f", not {placement.policy}" if written else ""),
        context.at(placement, "max_topology_distance"),
        also=(context.at(placement, "policy", text="the policy"),) if written else (),
        help="write policy: workload, or remove max_topology_distance",
    )
