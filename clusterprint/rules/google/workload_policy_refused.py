from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import Machine, machine
from clusterprint.rules.google._capacity import is_sold, names_other_reservation
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule

_SOURCE = "Google Cloud: compact placement policies and workload policies"


@rule("GCP041", severity=Severity.ERROR)
def workload_policy_refused(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    if nodes.placement.policy != "workload":
        return
    found = machine(nodes.machine_type)
    if found is None:
        return
    if found.workload_policy is None:
        yield Finding(
            f"{found.name} does not support workload policies",
            context.at(nodes.placement, "policy"),
            also=(context.at(nodes, "machine_type", text="the machine type"),),
            help="remove policy" + (", or write policy: compact" if found.compact_placement else ""),
        )
    elif _model_refused(nodes, found, context):
        yield Finding(
            f"{found.name} does not support workload policies with {nodes.capacity.model} capacity",
            context.at(nodes.placement, "policy"),
            also=(context.at(nodes.capacity, "model", text="the capacity model"),),
            help=f"remove policy, or set capacity.model to {listed(found.workload_policy.models)}",
        )


def _model_refused(nodes: MachineGroup, found: Machine, context: Context) -> bool:
    """Whether the policy goes with other models only; a model that is not sold at all is another rule's."""
    model = nodes.capacity.model
    if found.workload_policy is None or model in found.workload_policy.models:
        return False
    return is_sold(found, model) is not False and not names_other_reservation(nodes, context)
