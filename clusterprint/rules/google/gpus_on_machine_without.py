from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine, tpu_type_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP005", severity=Severity.ERROR, source="Google Cloud: GPU machine types")
def gpus_on_machine_without(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """GPUs are attached to a machine type that does not support them.

    GPUs can be attached to N1 machine types only, and not to the shared-core ones among them.

    Use an N1 machine type, or one that brings its own GPUs.
    """
    asked = group.guest_accelerator
    found = machine(group.machine_type)
    if not given(asked) or (found is None and tpu_type_of(group.machine_type) is None):
        return
    if found and (found.gpu or (found.series == "n1" and not found.shared_core)):
        return
    yield Finding(
        f"no GPUs can be attached to {group.machine_type}",
        context.at_key(group, "guest_accelerator"),
        also=(context.at(group, "machine_type", text="not an N1 type with whole cores"),),
        help="write machine_type: n1-standard-8, or one that brings its GPUs, such as g2-standard-8",
    )
