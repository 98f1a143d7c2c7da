"""Workers of several Ray clusters that share nodes, added up."""

from typing import NamedTuple

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import RayService
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import auto_creation, node_pools, ray_workers
from clusterprint.derived.ray_workers import Wanted
from clusterprint.rules.gke._pools import gpus
from clusterprint.rules.kit import Context, Iterator, given, listed
from clusterprint.rules.ray._workers import pools_of


class Share(NamedTuple):
    """Nodes that groups of workers have for themselves, and what each Ray cluster wants of them at least.

    `group` is the first of the `groups` that these nodes are for, which are named.
    """

    group: Worker
    groups: frozenset[str]
    pools: list[NodePool]
    nodes: int
    wanted: list[tuple[Wanted, int]]

    @property
    def total(self) -> int:
        """The nodes that all Ray clusters want at the same time."""
        return sum(number for _, number in self.wanted)

    @property
    def largest_update(self) -> tuple[RayService, int] | None:
        """The service whose update wants most nodes: a second Ray cluster before the first one goes."""
        services = [(each.part, number) for each, number in self.wanted if isinstance(each.part, RayService)]
        return max(services, key=lambda pair: pair[1], default=None)

    @property
    def place(self) -> str:
        """The pools, for a sentence: `pool l4`, or `pools spot and sure`."""
        names = [pool.name for pool in self.pools]
        return f"{'pool' if len(names) == 1 else 'pools'} {listed(names, 'and')}"

    @property
    def has(self) -> str:
        """The verb after the pools."""
        return "has" if len(self.pools) == 1 else "have"


def shares(context: Context[RayBlueprint]) -> Iterator[Share]:
    """One for each group of nodes that workers are bound to, with all that wants nodes nowhere else."""
    ray = context.blueprint.ray
    found = [(each, pools) for each in ray.workers if (pools := pools_of(each, context))]
    wanted = list(ray_workers.wanted(ray, _tested(context)))
    seen: set[frozenset[str]] = set()
    for group, pools in found:
        names = frozenset(pool.name for pool in pools)
        if names in seen:
            continue
        seen.add(names)
        # Whoever may use some of these nodes and no others competes for them.
        hosts = {
            other.name: max(1, node_pools.nodes_per_slice(theirs[0]))
            for other, theirs in found
            if {pool.name for pool in theirs} <= names
        }
        yield Share(
            group=group,
            groups=frozenset(hosts),
            pools=pools,
            nodes=sum(node_pools.max_nodes(context.blueprint, pool) for pool in pools)
            + auto_creation.nodes_made(context.blueprint.compute_classes, group.compute_class),
            wanted=[(each, sum(each.workers[name] * hosts[name] for name in hosts)) for each in wanted],
        )


def _tested(context: Context[RayBlueprint]) -> str:
    """The group whose network is measured; empty for none."""
    ray = context.blueprint.ray
    if not given(ray.nccl_test):
        return ""
    names = [each.name for each in ray.workers]
    if given(ray.nccl_test.worker):
        return ray.nccl_test.worker if ray.nccl_test.worker in names else ""
    return next(
        (each.name for each in ray.workers if any(gpus(pool) for pool in pools_of(each, context))), ""
    )
