"""The content of a blueprint for the model: pools of machines, the jobs on them, and quotas of queues."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup, RunOfPods
from clusterprint.blueprint.gke.queues import Kueue, Preemption
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import durations, node_groups, node_pools, pod_groups, queues, ray_workers
from clusterprint.derived.machine_groups import Group, groups_of
from clusterprint.document import Place
from clusterprint.overview.facts import facts_of

NEVER = math.inf
_FLEX_HOURS = 7 * 24.0


class Pool(NamedTuple):
    """Machines of one sort. `elastic`: nodes come and go with the work; `movable`: to any of its zones.

    `longest` is the run time of a machine in hours. `replaced` and `resumed` say whether a node comes back
    after a fault, and after a preemption. `sold` are the capacity models under which the catalog knows it.
    """

    name: str
    place: Place
    machine_type: str
    model: str
    zones: tuple[str, ...]
    least: int
    most: int
    price: float | None
    prices: dict[str, float]
    accelerators: float
    reservation: str = ""
    longest: float = NEVER
    replaced: bool = True
    resumed: bool = True
    elastic: bool = False
    movable: bool = False

    @property
    def names(self) -> set[str]:
        """Its name, and that of nodes that GKE creates without the capacity model."""
        return {self.name, self.name.partition(" (")[0]}


class Job(NamedTuple):
    """Work in `units` that each need `nodes` at once; `pools` are indexes, in order of preference.

    `attempts` is how often a unit may start, `hours` the work of a unit. `keeps` says what of the work of a
    unit remains when it loses a node. `assumed`: the blueprint has machines, but no job for them.
    """

    name: str
    place: Place
    units: int
    nodes: int
    pools: tuple[int, ...]
    queue: str = ""
    priority: int = 0
    attempts: float = NEVER
    hours: float = NEVER
    keeps: Literal["checkpoints", "all"] = "checkpoints"
    assumed: bool = False


class Quota(NamedTuple):
    """Nodes of a pool that belong to a queue, and how many it may borrow and lend."""

    own: int
    borrow: float = NEVER
    lend: float = NEVER


class Setup(NamedTuple):
    """Everything that the model knows. `quotas` is by queue and pool; `left_out` are jobs without a pool.

    `controllers` are the pools without a node of which no job starts.
    """

    pools: tuple[Pool, ...]
    jobs: tuple[Job, ...]
    quotas: dict[tuple[str, int], Quota]
    preemption: Preemption
    left_out: tuple[str, ...] = ()
    controllers: tuple[int, ...] = ()


def setup_of(blueprint: Blueprint) -> Setup:
    """The pools and jobs of a blueprint without mistakes."""
    pools = tuple(_pools(blueprint))
    names = {each.name: index for index, each in enumerate(pools)}
    written = list(_written(blueprint, names))
    jobs = [
        each._replace(nodes=min(each.nodes, sum(pools[at].most for at in each.pools)))
        for each in written
        if each.pools and each.nodes and each.units
    ]
    jobs += _assumed(blueprint, pools, names, {pool for each in jobs for pool in each.pools})
    kueue = blueprint.workloads.kueue if isinstance(blueprint, GkeBlueprint) else UNSET
    return Setup(
        pools,
        tuple(jobs),
        {} if kueue is UNSET else _quotas(kueue, pools, names),
        Preemption() if kueue is UNSET else kueue.preemption,
        tuple(each.name for each in written if not each.pools),
        tuple(at for at, each in enumerate(pools) if each.place[0] == "system_pool"),
    )


# ---- pools


def part_at(blueprint: Blueprint, place: Place) -> Any:
    """The part of a blueprint at a place."""
    part: Any = blueprint
    for key in place:
        part = part[key] if isinstance(key, int) else getattr(part, key)
    return part


def _pools(blueprint: Blueprint) -> Iterator[Pool]:
    for group in groups_of(blueprint):
        part = part_at(blueprint, group.place)
        if group.place[0] == "compute_classes":
            # Each capacity model of a class is a pool: GKE asks for one after the other.
            for capacity in part.capacity:
                machines = group.machines._replace(
                    model=capacity.model, name=f"{group.machines.name} ({capacity.model})"
                )
                yield _pool(blueprint, group._replace(machines=machines), part, capacity)
        else:
            yield _pool(blueprint, group, part, getattr(part, "capacity", None))


def _pool(blueprint: Blueprint, group: Group, part: Any, capacity: Any) -> Pool:
    machines, facts = group.machines, facts_of(group)
    prices = {
        model: price.usd
        for model in ("on_demand", "spot", "flex_start", "reservation")
        if (price := facts_of(group._replace(machines=machines._replace(model=model))).price)
    }
    longest = _hours(getattr(capacity, "max_run_duration", UNSET))
    autoscaling = getattr(part, "autoscaling", UNSET)
    elastic = isinstance(blueprint, KubernetesBlueprint) and machines.nodes < machines.most
    per_zone = autoscaling is not UNSET and autoscaling.per_zone
    restarts = not isinstance(blueprint, VmBlueprint) or node_groups.restarts(part)
    return Pool(
        machines.name,
        group.place,
        machines.machine_type,
        machines.model,
        group.zones or (f"a zone of {machines.region}",),
        machines.nodes,
        machines.most,
        facts.price.usd if facts.price else None,
        prices,
        facts.family.each,
        str(getattr(capacity, "reservation", UNSET) or ""),
        min(longest, _FLEX_HOURS) if machines.model == "flex_start" else longest,
        restarts,
        restarts and not isinstance(blueprint, VmssBlueprint),
        elastic,
        elastic and not per_zone,
    )


# ---- jobs


def _written(blueprint: Blueprint, names: dict[str, int]) -> Iterator[Job]:
    if isinstance(blueprint, GkeBlueprint):
        yield from _of_gke(blueprint, names)
    elif isinstance(blueprint, RayBlueprint):
        yield from _of_ray(blueprint, names)


def _of_gke(blueprint: GkeBlueprint, names: dict[str, int]) -> Iterator[Job]:
    workloads = blueprint.workloads
    for field in ("jobsets", "train_jobs", "leader_worker_sets"):
        groups: tuple[PodGroup, ...] = getattr(workloads, field)
        for index, group in enumerate(groups):
            pool = _first_pool(blueprint, group.node_pool)
            replicas, pods = (
                (pod_groups.replicas(group, pool), pod_groups.pods(group, pool)) if pool else (0, 0)
            )
            job = _gke_job(blueprint, names, group, ("workloads", field, index))
            if isinstance(group, RunOfPods):
                yield _with_attempts(job._replace(nodes=replicas * pods), group)
            else:
                yield job._replace(units=replicas, nodes=pods, keeps="all")
    for index, mpi in enumerate(() if workloads.mpi is UNSET else workloads.mpi.jobs):
        job = _gke_job(blueprint, names, mpi, ("workloads", "mpi", "jobs", index))
        yield _with_attempts(job._replace(nodes=mpi.workers), mpi)


def _gke_job(blueprint: GkeBlueprint, names: dict[str, int], job: PodGroup | MpiJob, place: Place) -> Job:
    kueue = blueprint.workloads.kueue
    priorities = {} if kueue is UNSET else {each.name: each.value for each in kueue.priorities}
    pools = _preferred(blueprint, job.compute_class, job.node_pool, names)
    return Job(
        job.name,
        place,
        1,
        0,
        pools if job.compute_class else pools[:1],
        _queue(kueue, job) if job.queue else "",
        priorities.get(str(job.priority), 0),
    )


def _with_attempts(job: Job, written: RunOfPods | MpiJob) -> Job:
    return job._replace(attempts=written.retries + 1, hours=_hours(written.time_limit))


def _of_ray(blueprint: RayBlueprint, names: dict[str, int]) -> Iterator[Job]:
    ray = blueprint.ray
    pools_of = {
        each.name: _preferred(blueprint, each.compute_class, each.pool, names) for each in ray.workers
    }
    # A worker of a TPU slice of several hosts is as many nodes.
    hosts = {each.name: _hosts(blueprint, each.pool) for each in ray.workers}
    for index, job in enumerate(ray.jobs):
        most = {each.name: each.max for each in ray.workers}
        if job.cluster == "own":
            most = {name: bounds.max for name, bounds in ray_workers.of_job(job, ray).items()}
        nodes = sum(workers * hosts[name] for name, workers in most.items())
        pools = dict.fromkeys(at for name, workers in most.items() if workers for at in pools_of[name])
        limit = _hours(job.time_limit)
        yield Job(job.name, ("ray", "jobs", index), 1, nodes, tuple(pools), hours=limit)
    for index, service in enumerate(ray.services):
        for name, bounds in ray_workers.of_service(service, ray).items():
            place = ("ray", "services", index)
            yield Job(service.name, place, bounds.min, hosts[name], pools_of[name], keeps="all")


def _hosts(blueprint: KubernetesBlueprint, pool: Any) -> int:
    found = _first_pool(blueprint, pool) if pool else None
    return max(node_pools.nodes_per_slice(found), 1) if found else 1


def _preferred(
    blueprint: KubernetesBlueprint, compute_class: Any, pool: Any, names: dict[str, int]
) -> tuple[int, ...]:
    """The pools of a class in its order, those that GKE makes last; or the pool that is named, or all."""
    if compute_class is not UNSET:
        found = next((each for each in blueprint.compute_classes if each.name == compute_class), None)
        made = [name for name in names if name.startswith(f"{compute_class}-created (")]
        wanted = [*(found.prefer if found else ()), *made]
    elif pool is not UNSET:
        wanted = [pool]
    else:
        wanted = [each.name for each in blueprint.node_pools]
    return tuple(names[each] for each in wanted if each in names)


def _first_pool(blueprint: KubernetesBlueprint, name: Any) -> Any:
    return next((each for each in blueprint.node_pools if name is UNSET or each.name == name), None)


def _hours(limit: Any) -> float:
    return NEVER if limit is UNSET else durations.seconds(limit) / 3600


def _queue(kueue: Any, job: Any) -> str:
    namespace = getattr(job, "namespace", "default")
    for each in () if kueue is UNSET else kueue.local_queues:
        if (each.name, each.namespace) == (job.queue, namespace):
            return queues.cluster_queue(kueue, each)
    return ""


def _quotas(kueue: Kueue, pools: Sequence[Pool], names: dict[str, int]) -> dict[tuple[str, int], Quota]:
    found: dict[tuple[str, int], Quota] = {}
    for queue in kueue.local_queues:
        for each in queue.quotas:
            if each.pool in names:
                limits = (NEVER if limit is UNSET else limit for limit in (each.borrow, each.lend))
                found[queues.cluster_queue(kueue, queue), names[each.pool]] = Quota(each.nodes, *limits)
    for index, pool in enumerate(pools):
        rest = pool.most - sum(quota.own for (_, at), quota in found.items() if at == index)
        found.setdefault((kueue.cluster_queue, index), Quota(max(rest, 0)))
    return found


def _only_serves(pool: Pool) -> bool:
    """Whether a pool is there for the cluster, and not for work."""
    return pool.place[0] == "system_pool" or (pool.place[0] == "head_node" and not pool.accelerators)


def _assumed(
    blueprint: Blueprint, pools: Sequence[Pool], names: dict[str, int], used: set[int]
) -> Iterator[Job]:
    """Work for the machines that no job of the blueprint uses: one job over all nodes of a pool or class."""
    idle = [at for at, each in enumerate(pools) if at not in used and not _only_serves(each)]
    if any(each.accelerators for each in pools):
        idle = [at for at in idle if pools[at].accelerators]
    if isinstance(blueprint, KubernetesBlueprint):
        workers = blueprint.ray.workers if isinstance(blueprint, RayBlueprint) else ()
        for each in blueprint.compute_classes:
            preferred = _preferred(blueprint, each.name, UNSET, names)
            if preferred and set(preferred) <= set(idle):
                most = sum(worker.max for worker in workers if worker.compute_class == each.name)
                nodes = min(most or pools[preferred[0]].most, sum(pools[at].most for at in preferred))
                place = pools[preferred[0]].place
                yield Job(f"work on {each.name}", place, 1, nodes, preferred, assumed=True)
                idle = [at for at in idle if at not in preferred]
    for at in idle:
        yield Job(f"work on {pools[at].name}", pools[at].place, 1, pools[at].most, (at,), assumed=True)
