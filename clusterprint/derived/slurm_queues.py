"""Partitions and QOS of Slurm, as nodes are told of them; and Slurm on a scale set."""

from collections.abc import Iterable, Sequence

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.slurm import Slurm, SlurmQueue
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names, durations, scale_sets
from clusterprint.plan.slurm import SlurmPartitionPlan, SlurmPlan, SlurmQosPlan

#: The machines of a scale set that run jobs, as one group.
NODES = "nodes"

_ONLY_PARTITION = SlurmQueue(name="all")

# The part of a machine's memory that jobs can have: the kernel and daemons take the rest.
_FOR_JOBS = 0.9
# Clouds count the memory of machines in units of 1024 MiB.
_MIB_PER_GB = 1024


def partition(
    asked: SlurmQueue,
    among: Sequence[SlurmQueue],
    groups: Iterable[str],
    machines: Sequence[catalog.Machine | catalog.AzureSize | None],
) -> SlurmPartitionPlan:
    """A partition of some groups, whose machines are of these types."""
    default = next((each for each in among if each.default), among[0])
    return SlurmPartitionPlan(
        name=asked.name,
        groups=tuple(groups),
        default=asked is default,
        max_seconds=0 if asked.max_time is UNSET else durations.seconds(asked.max_time),
        priority=asked.priority,
        exclusive=asked.exclusive,
        memory_per_cpu_mib=_memory_per_cpu(machines),
        qos=asked.qos or "",
    )


def qos(asked: Slurm) -> tuple[SlurmQosPlan, ...]:
    """The QOS of a cluster."""
    return tuple(
        SlurmQosPlan(
            name=each.name,
            priority=each.priority,
            max_jobs_per_user=each.max_jobs_per_user or 0,
            max_seconds=durations.seconds(each.max_wall or "0s"),
            grace_seconds=durations.seconds(each.grace or "0s"),
            preempts=tuple(sorted(other.name for other in asked.qos if each.name in other.yields_to)),
        )
        for each in asked.qos
    )


def of_scale_set(blueprint: VmssBlueprint, address: str) -> SlurmPlan | None:
    """The settings of Slurm for head and nodes; None without Slurm. An empty address is found by name."""
    asked = blueprint.bootstrap.slurm
    if asked is UNSET:
        return None
    head, nodes = blueprint.head_node, blueprint.nodes
    name = azure_names.head(blueprint.name)
    sizes = dict.fromkeys(
        (nodes.size, *((scale_sets.head_size(head, nodes),) if scale_sets.runs_jobs(head) else ()))
    )
    machines = [catalog.azure_size(each) for each in sizes]
    written = asked.partitions or (_ONLY_PARTITION,)
    return SlurmPlan(
        controller=name,
        address=address or name,
        accounting=asked.accounting is not UNSET,
        groups=(NODES,),
        partitions=tuple(partition(each, written, (NODES,), machines) for each in written),
        qos=qos(asked),
    )


def _memory_per_cpu(machines: Sequence[catalog.Machine | catalog.AzureSize | None]) -> int:
    """Memory of a job for each processor, in MiB, if it does not say: as much as every machine has of it."""
    shares = [
        each.memory_gb * _MIB_PER_GB / each.vcpus * _FOR_JOBS for each in machines if each and each.vcpus
    ]
    return int(min(shares)) if shares and len(shares) == len(machines) else 0
