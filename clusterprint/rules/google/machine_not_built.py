from collections.abc import Iterator

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule(
    "GCP017",
    severity=Severity.ERROR,
    source="Google Cloud: machine types; Cluster Toolkit: gke-a4x-max-bm",
    firm=True,
)
def machine_not_built(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type needs something that clusterprint does not build yet.

    A few of the newest machine types have interfaces and networks like no other.

    Take another machine type.
    """
    found = machine(nodes.machine_type)
    if found is None or not found.supported_on_vm:
        return
    yield Finding(
        f"{found.name} cannot be built yet",
        context.at(nodes, "machine_type"),
        help=f"{found.supported_on_vm}; take another machine type",
    )
