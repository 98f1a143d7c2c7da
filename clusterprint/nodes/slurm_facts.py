"""Facts about Slurm, which scripts of machines read."""

from collections.abc import Iterator

from clusterprint.plan.slurm import SlurmPlan


def slurm_facts(slurm: SlurmPlan) -> Iterator[str]:
    """The lines of the file of facts about Slurm."""
    yield f"controller={slurm.controller}"
    yield f"address={slurm.address}"
    yield f"accounting={'yes' if slurm.accounting else 'no'}"
    yield from (f"group={name}" for name in slurm.groups)
    if slurm.power:
        yield f"idle={slurm.idle_seconds}"
        yield from (
            f"power={each.group} {each.prefix} {each.static} {' '.join(each.zones)}" for each in slurm.power
        )
    # As `sacctmgr` shows them, with a hyphen for what is not limited; it takes a grace period in seconds.
    for qos in slurm.qos:
        grace = f"{_clock(qos.grace_seconds)} {qos.grace_seconds}"
        limits = f"{qos.max_jobs_per_user or '-'} {_clock(qos.max_seconds) if qos.max_seconds else '-'}"
        yield f"qos={qos.name} {qos.priority} {grace} {limits} {','.join(qos.preempts) or '-'}"
    for each in slurm.partitions:
        limit = f"{each.max_seconds // 60}:{each.max_seconds % 60:02}" if each.max_seconds else "UNLIMITED"
        fields = (
            f"PartitionName={each.name} Nodes={','.join(each.groups)}",
            f"Default={'YES' if each.default else 'NO'} MaxTime={limit} PriorityTier={each.priority}",
            *([f"DefMemPerCPU={each.memory_per_cpu_mib}"] if each.memory_per_cpu_mib else []),
            *(["OverSubscribe=EXCLUSIVE"] if each.exclusive else []),
            *([f"QOS={each.qos}"] if each.qos else []),
        )
        yield f"partition={' '.join(fields)} State=UP"


def _clock(seconds: int) -> str:
    days, rest = divmod(seconds, 86400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days}-{clock}" if days else clock
