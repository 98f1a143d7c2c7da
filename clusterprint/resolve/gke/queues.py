"""Kueue: what each pool can hold, as quotas, and whose they are."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.gke.queues import Kueue, LocalQueue, NodeRequests, Quota
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.derived import durations, node_capacity
from clusterprint.derived.provisioner import NODE_LABEL
from clusterprint.derived.queues import TOPOLOGY_LABELS, cluster_queue, version
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.gke.queues import (
    ClusterQueuePlan,
    FlavorPlan,
    LocalQueuePlan,
    PreemptionPlan,
    ProvisioningPlan,
    QueuesPlan,
    QuotaPlan,
    Reclaim,
    TopologyPlan,
    WithinQueue,
)
from clusterprint.resolve.gke.charts import resolve_chart, sized_for
from clusterprint.resolve.gke.pods import GPU, TPU, resolve_tolerations, selector_of

# Since this version.
_V1BETA2 = (0, 15)

# What GKE puts on nodes that came for a request, and where the request says which.
_GRANT_LABEL = "autoscaling.gke.io/provisioning-request"
_GRANT = "ResizeRequestName"

_TOPOLOGY = TopologyPlan(
    name="machines",
    levels=(*TOPOLOGY_LABELS.values(), "cloud.google.com/gce-topology-host", "kubernetes.io/hostname"),
)

_WITHIN: dict[str, WithinQueue] = {
    "never": "Never",
    "lower_priority": "LowerPriority",
    "lower_or_newer_equal_priority": "LowerOrNewerEqualPriority",
}
_RECLAIM: dict[str, Reclaim] = {"never": "Never", "lower_priority": "LowerPriority", "any": "Any"}

# No pool can have this name, as it has a dot.
_PROVISIONED = "provisioned.slices"

# Where the catalog knows no processors or memory, they set no limit.
_UNLIMITED = 1_000_000

Groups = dict[str, list[PoolPlan]]


def resolve_queues(
    kueue: Kueue,
    cluster: GkeClusterPlan,
    folder: Path,
    provisioner: TpuProvisioner | None,
    spares: Mapping[str, int],
) -> QueuesPlan:
    """One flavor for each pool of the blueprint, for what GKE makes of a class, and for provisioned pools.

    What a flavor has none of, it has a quota of 0 of; `spares` are left out. Only a slice `provisioner` is
    given.
    """
    chart = sized_for(cluster, resolve_chart("kueue", kueue, folder))
    groups: Groups = {}
    for pool in (*cluster.pools, *cluster.nodes, *cluster.created):
        groups.setdefault(pool.group, []).append(pool)
    on_demand = None if provisioner is None else _provisioned(kueue, provisioner)
    held = {resource for pools in groups.values() for resource in _amounts(pools, 1)}
    held |= set(on_demand.amounts if on_demand else ())
    resources = tuple(each for each in ("cpu", "memory", GPU, TPU) if each in held)
    return QueuesPlan(
        chart=chart,
        api_version="v1beta2" if version(chart.version) >= _V1BETA2 else "v1beta1",
        resources=resources,
        topology=_TOPOLOGY if kueue.topology_pools else None,
        flavors=tuple(
            FlavorPlan(
                name=name,
                labels=selector_of(pools[0]),
                taints={},
                tolerations=resolve_tolerations(pools[0]),
                topology=_TOPOLOGY.name if name in kueue.topology_pools else "",
            )
            for name, pools in groups.items()
        )
        + ((on_demand.flavor,) if on_demand else ()),
        cluster_queues=_cluster_queues(kueue, groups, spares, resources, on_demand),
        provisioning=tuple(
            _provisioning(name, pools, kueue.node_requests)
            for name, pools in groups.items()
            if pools[0].node.capacity.queued
        ),
        local_queues=tuple(
            LocalQueuePlan(name=each.name, namespace=each.namespace, cluster_queue=cluster_queue(kueue, each))
            for each in kueue.local_queues
        ),
        priorities={each.name: each.value for each in kueue.priorities},
    )


def _cluster_queues(
    kueue: Kueue,
    groups: Groups,
    spares: Mapping[str, int],
    resources: tuple[str, ...],
    on_demand: "_OnDemand | None",
) -> tuple[ClusterQueuePlan, ...]:
    """The queue of all that nobody has of their own, and those of local queues with quotas."""
    own = [queue for queue in kueue.local_queues if queue.quotas]
    taken = {name: spares.get(name, 0) for name in groups}
    for quota in (quota for queue in own for quota in queue.quotas):
        taken[quota.pool] += quota.nodes
    preemption = (
        PreemptionPlan(
            within_queue=_WITHIN[kueue.preemption.within_queue], reclaim=_RECLAIM[kueue.preemption.reclaim]
        )
        if own or kueue.priorities
        else None
    )
    rest = ClusterQueuePlan(
        name=kueue.cluster_queue,
        quotas=tuple(
            QuotaPlan(
                flavor=name,
                amounts=_of(pools, _nodes(pools) - taken[name], resources),
                borrow=None,
                lend=None,
            )
            for name, pools in groups.items()
        )
        # The last one: pools are made for jobs when there is no room in those that are there.
        + ((on_demand.quota(resources),) if on_demand else ()),
        # Everybody's queue lends to those with quotas, and the other way round.
        cohort=kueue.cluster_queue if own else "",
        preemption=preemption,
    )
    return (rest, *(_own_queue(kueue, queue, groups, resources, preemption) for queue in own))


class _OnDemand(NamedTuple):
    """The flavor of pools that the provisioner makes, and how much there may be of it."""

    flavor: FlavorPlan
    amounts: dict[str, str]

    def quota(self, resources: tuple[str, ...]) -> QuotaPlan:
        amounts = {each: self.amounts.get(each, "0") for each in resources}
        return QuotaPlan(flavor=self.flavor.name, amounts=amounts, borrow=None, lend=None)


def _provisioned(kueue: Kueue, provisioner: TpuProvisioner) -> _OnDemand | None:
    """Which pool it will be is not known when a job is admitted, only who makes it.

    Its taint, which GKE puts on nodes with chips, keeps away jobs without chips, for which no pool is made.
    Processors and memory come with the chips.
    """
    resource = provisioner.pod_resource_type
    if resource not in (GPU, TPU):
        return None
    namespaces = {each.namespace for each in kueue.local_queues if not each.quotas}
    limit = provisioner.max_chips_per_namespace
    chips = _UNLIMITED if limit is UNSET else limit * len(namespaces)
    flavor = FlavorPlan(
        name=_PROVISIONED, labels=NODE_LABEL, taints={resource: "present"}, tolerations=(), topology=""
    )
    return _OnDemand(flavor, {"cpu": str(_UNLIMITED), "memory": f"{_UNLIMITED}Gi", resource: str(chips)})


def _own_queue(
    kueue: Kueue,
    queue: LocalQueue,
    groups: Groups,
    resources: tuple[str, ...],
    preemption: PreemptionPlan | None,
) -> ClusterQueuePlan:
    def plan(quota: Quota) -> QuotaPlan:
        pools = groups[quota.pool]
        return QuotaPlan(
            flavor=quota.pool,
            amounts=_of(pools, quota.nodes, resources),
            borrow=None if quota.borrow is UNSET else _of(pools, quota.borrow, resources),
            lend=None if quota.lend is UNSET else _of(pools, quota.lend, resources),
        )

    return ClusterQueuePlan(
        name=cluster_queue(kueue, queue),
        quotas=tuple(plan(quota) for quota in queue.quotas),
        cohort=kueue.cluster_queue,
        preemption=preemption,
    )


def _provisioning(name: str, pools: list[PoolPlan], requests: NodeRequests) -> ProvisioningPlan:
    """GKE takes requests for pods of one template: launchers ask for nothing that such a request is for."""
    held = _amounts(pools, 1)
    return ProvisioningPlan(
        name=f"provisioning-{name}",
        flavor=name,
        resources=tuple(each for each in (GPU, TPU) if each in held) or ("cpu",),
        retries=requests.retries,
        first_wait_seconds=60,
        longest_wait_seconds=durations.seconds(requests.longest_wait),
        max_run_seconds=pools[0].node.capacity.max_run_seconds,
        node_label=_GRANT_LABEL,
        node_label_value=_GRANT,
    )


def _nodes(pools: list[PoolPlan]) -> int:
    return sum(pool.max_nodes for pool in pools)


def _of(pools: list[PoolPlan], nodes: int, resources: tuple[str, ...]) -> dict[str, str]:
    """The resources of so many nodes: every flavor needs a quota of each."""
    amounts = _amounts(pools, nodes)
    return {each: amounts.get(each, "0") for each in resources}


def _amounts(pools: list[PoolPlan], nodes: int) -> dict[str, str]:
    """Nodes times what each has, as quantities of Kubernetes."""
    pool = pools[0]
    cpus, memory = (nodes and _UNLIMITED,) * 2
    if pool.vcpus and pool.memory_gb:
        cpus = nodes * math.floor(node_capacity.free_cpus(pool.vcpus))
        memory = nodes * math.floor(node_capacity.free_memory_gb(pool.memory_gb))
    amounts = {"cpu": str(cpus), "memory": f"{memory}Gi" if memory else "0"}
    if pool.node.accelerator:
        amounts[GPU] = str(nodes * pool.node.accelerator.count)
    if pool.node.tpu:
        amounts[TPU] = str(nodes * pool.node.tpu.chips_per_node)
    return amounts
