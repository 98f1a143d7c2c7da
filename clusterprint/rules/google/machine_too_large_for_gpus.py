from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import Gpu, Machine, attachable_gpu
from clusterprint.rules.google._attached_gpus import attached
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP008", severity=Severity.ERROR)
def machine_too_large_for_gpus(group: MachineGroup, context: Context) -> Iterator[Finding]:
    found = attached(group)
    gpu = found and attachable_gpu(found.asked.type)
    if not found or not gpu or found.asked.count not in gpu.attach:
        return
    limits = gpu.attach[found.asked.count]
    if found.machine.vcpus <= limits.vcpus[1] and found.machine.memory_gb <= limits.memory_gb[1]:
        return
    what = f"{found.asked.count} {gpu.accelerator_type}"
    most = f"{limits.vcpus[1]} vCPUs and {limits.memory_gb[1]:g} GB"
    yield Finding(
        f"{found.machine.name} is too large for {what}, which goes with at most {most}",
        context.at(group, "machine_type", text=_size(found.machine)),
        also=(context.at(found.asked, "count", text="GPUs per machine"),),
        help=_help_for(found.machine, gpu, most),
    )


def _size(machine: Machine) -> str:
    return f"{machine.vcpus} vCPUs and {machine.memory_gb:g} GB"


def _help_for(machine: Machine, gpu: Gpu, most: str) -> str:
    smaller = f"choose a machine type of at most {most}"
    for count, limits in sorted(gpu.attach.items()):
        if machine.vcpus <= limits.vcpus[1] and machine.memory_gb <= limits.memory_gb[1]:
            return f"attach {count}, or {smaller}"
    return smaller
