from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import NcclBenchmark
from clusterprint.derived import node_settings, vm_runs
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM110", severity=Severity.ERROR, source="NVIDIA: NCCL tests", firm=True)
def benchmark_without_gpus(benchmark: NcclBenchmark, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """NCCL's benchmark is set for fewer than two GPUs.

    It measures how fast GPUs exchange data: a single one has no other to exchange data with.

    Remove the benchmark, choose another group of nodes, or more nodes.
    """
    group = vm_runs.group_of(context.blueprint, benchmark)
    if group is None or catalog.machine(group.machine_type) is None:
        return
    gpus = node_settings.gpus(group) * group.count
    if gpus <= 1:
        has = f"{gpus} GPU" if gpus else "no GPUs"
        yield Finding(
            f"the benchmark measures how GPUs exchange data, and these nodes have {has}",
            context.at(benchmark),
            also=(context.at(group, "machine_type", text="the nodes"),),
            help="remove the benchmark, or choose other nodes",
        )
