from clusterprint import did_you_mean
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine, tpu_type_of
from clusterprint.rules.google._machine import has_accelerator
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP002", severity=Severity.ERROR, source="Google Cloud: GPU machine types", firm=True)
def unknown_accelerator_machine(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type is named like one with accelerators, but there is no such type.

    GPUs, networks and disks follow from the machine type, so nothing can be built from an unknown one.

    Correct the name. `clusterprint machines` lists the known machine types.
    """
    name = group.machine_type
    if machine(name) or tpu_type_of(name) or not has_accelerator(name):
        return
    yield Finding(
        f"there is no machine type {name}",
        context.at(group, "machine_type"),
        help=did_you_mean.machine_type(name) or "`clusterprint machines` lists the known machine types",
        instead=did_you_mean.only("machine_type", name),
    )
