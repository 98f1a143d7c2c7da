from collections.abc import Iterator

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import is_accelerator_prefix, machine, machine_names, tpu_type_of, tpu_types
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._words import nearest
from clusterprint.rules.rule import Finding, rule


@rule("GCP002", severity=Severity.ERROR, source="Google Cloud: GPU machine types", firm=True)
def unknown_accelerator_machine(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type belongs to an accelerator series, but there is no such type.

    GPUs, networks and disks of a cluster follow from the machine type; of an unknown one nothing is
    known, so nothing can be built.

    Correct the name. `clusterprint machines` lists what there is.
    """
    name = group.machine_type
    if not is_accelerator_prefix(name) or machine(name) or tpu_type_of(name):
        return
    known = (*machine_names(), *(each for tpu in tpu_types() for each in tpu.machines))
    meant = nearest(name, filter(is_accelerator_prefix, known))
    yield Finding(
        f"there is no machine type {name}",
        context.at(group, "machine_type"),
        help=f"did you mean {meant}?" if meant else "`clusterprint machines` lists what there is",
    )
