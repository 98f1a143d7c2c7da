from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP004", severity=Severity.ERROR, source="Google Cloud: GPU machine types")
def gpus_contradict_machine(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type has built-in GPUs, but others are requested.

    The type and number of GPUs of an accelerator-optimized machine are fixed by its machine type.

    Remove `guest_accelerator`, or use the machine type that has the GPUs you want.
    """
    asked = group.guest_accelerator
    found = machine(group.machine_type)
    if asked is UNSET or found is None or found.gpu is None:
        return
    own = f"{found.gpus:g} {found.gpu.accelerator_type}"
    if asked.type != found.gpu.accelerator_type:
        wrong, what = "type", asked.type
    elif asked.count != found.gpus:
        wrong, what = "count", str(asked.count)
    else:
        return
    yield Finding(
        f"{found.name} comes with {own}, not with {what}",
        context.at(asked, wrong),
        also=(context.at(group, "machine_type", text=f"brings {own}"),),
        help="remove guest_accelerator, or choose another machine type",
    )
