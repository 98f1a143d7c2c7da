from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import attachable_gpu
from clusterprint.rules.google._attached_gpus import attached
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule


@rule("GCP007", severity=Severity.ERROR, source="Google Cloud: GPU machine types")
def gpu_count_not_attachable(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The number of attached GPUs is not supported.

    Each GPU model is attached to a machine in a few fixed numbers only.

    Write one of the numbers in the help.
    """
    found = attached(group)
    gpu = found and attachable_gpu(found.asked.type)
    if not found or not gpu or found.asked.count in gpu.attach:
        return
    counts = listed([str(count) for count in sorted(gpu.attach)])
    yield Finding(
        f"{gpu.accelerator_type} cannot be attached {found.asked.count} times to one machine",
        context.at(found.asked, "count"),
        help=f"write a count of {counts}",
    )
