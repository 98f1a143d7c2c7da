from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived.scale_sets import is_amd, size_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ051", severity=Severity.WARNING, source="NVIDIA DCGM: supported GPUs")
def dcgm_of_other_gpus(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A level of the DCGM diagnostics is chosen for machines without NVIDIA GPUs.

    DCGM knows NVIDIA's GPUs only. Other machines are checked by Azure's node health checks alone.

    Remove `dcgm_level`.
    """
    checks, size = blueprint.health_checks, size_of(blueprint.nodes)
    if size is None or (size.gpus and not is_amd(size)):
        return
    if context.wrote(checks, "dcgm_level"):
        yield Finding(
            f"dcgm_level does nothing: {size.name} has {size.gpu_model or 'no GPUs'}",
            context.at_key(checks, "dcgm_level"),
            help="remove dcgm_level",
        )
