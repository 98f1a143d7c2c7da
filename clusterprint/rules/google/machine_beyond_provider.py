from collections.abc import Iterator

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP017", severity=Severity.ERROR, source="Terraform provider google: versions 6.50 to 7.32", firm=True)
def machine_beyond_provider(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type needs something that the Terraform provider does not have in this version.

    clusterprint builds with the provider google 6.50. A few newer machine types need settings that this
    version does not have.

    Take another machine type.
    """
    found = machine(nodes.machine_type)
    if found is None or not found.supported_on_vm:
        return
    yield Finding(
        f"{found.name} cannot be built with the Terraform provider google 6.50",
        context.at(nodes, "machine_type"),
        help=f"{found.supported_on_vm}; take another machine type",
    )
