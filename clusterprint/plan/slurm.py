"""Slurm on machines: what all nodes of a cluster are told of it."""

from clusterprint.plan.part import PlanPart


class SlurmPartitionPlan(PlanPart, frozen=True, kw_only=True):
    """A partition: groups of nodes, the longest job in seconds (0 for any), and its tier of priority.

    Jobs get `memory_per_cpu_mib` for each processor if they do not say; with 0, all of a node's.
    """

    name: str
    groups: tuple[str, ...]
    default: bool
    max_seconds: int
    priority: int
    memory_per_cpu_mib: int
    exclusive: bool = False
    qos: str = ""


class SlurmQosPlan(PlanPart, frozen=True, kw_only=True):
    """Limits of jobs, of which 0 is none. Its jobs preempt those of the QOS in `preempts`."""

    name: str
    priority: int
    max_jobs_per_user: int
    max_seconds: int
    grace_seconds: int
    preempts: tuple[str, ...]


class SlurmPowerPlan(PlanPart, frozen=True, kw_only=True):
    """A group whose nodes are stopped when idle, but for the first `static` ones.

    Their names are `prefix`, a hyphen and a number; node 0 is in the first of `zones`, and so on in turn.
    """

    group: str
    prefix: str
    static: int
    zones: tuple[str, ...]


class SlurmPlan(PlanPart, frozen=True, kw_only=True):
    """Slurm on all nodes.

    `controller` is the name of the node that decides, `address` what it is reached by. Nodes of `groups` run
    jobs. Those of `power` are stopped after `idle_seconds` without any.
    """

    controller: str
    address: str
    accounting: bool
    groups: tuple[str, ...]
    partitions: tuple[SlurmPartitionPlan, ...]
    qos: tuple[SlurmQosPlan, ...] = ()
    idle_seconds: int = 0
    power: tuple[SlurmPowerPlan, ...] = ()

    def may_stop(self, node: str) -> bool:
        """Whether power saving stops a node."""
        prefix, _, number = node.rpartition("-")
        return any(each.prefix == prefix and int(number) >= each.static for each in self.power)
