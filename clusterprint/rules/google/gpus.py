from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import attachable_gpu, attachable_gpus, machine, machines, tpu_type_of
from clusterprint.did_you_mean import accelerator
from clusterprint.rules.google._attached_gpus import attached
from clusterprint.rules.kit import (
    Context,
    Finding,
    Iterator,
    Severity,
    did_you_mean,
    given,
    listed,
    nearest,
    rule,
)


@rule("GCP005", severity=Severity.ERROR)
def gpus_on_machine_without(group: MachineGroup, context: Context) -> Iterator[Finding]:
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


@rule("GCP006", severity=Severity.ERROR)
def gpu_not_attachable(group: MachineGroup, context: Context) -> Iterator[Finding]:
    found = attached(group)
    if found is None or attachable_gpu(found.asked.type):
        return
    yield Finding(
        f"{found.asked.type} cannot be attached to {found.machine.name}",
        context.at(found.asked, "type"),
        help=_help_for(found.asked.type),
    )


def _help_for(accelerator_type: str) -> str:
    owners = [each.name for each in machines() if each.gpu and each.gpu.accelerator_type == accelerator_type]
    if owners:
        return f"choose a machine type with this GPU, such as {owners[0]}, and remove guest_accelerator"
    attachable = any(each.model.lower() in accelerator_type.lower() for each in attachable_gpus())
    if not attachable and (elsewhere := accelerator(accelerator_type)):
        return f"{elsewhere} These have their GPUs built in: remove guest_accelerator"
    names = [each.accelerator_type for each in attachable_gpus()]
    meant = nearest(accelerator_type, names)
    return did_you_mean(meant) or f"write {listed(names)}"
