from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import attachable_gpu, attachable_gpus, machines
from clusterprint.did_you_mean import accelerator
from clusterprint.rules.google._attached_gpus import attached
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, did_you_mean, listed, nearest, rule


@rule("GCP006", severity=Severity.ERROR, source="Google Cloud: GPU machine types")
def gpu_not_attachable(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """This GPU cannot be attached to N1 machines.

    Only some older GPUs can be attached; all others are built into their own machine types.

    Write one of the attachable types, or choose the machine type with this GPU.
    """
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
