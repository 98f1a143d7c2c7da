import math

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import existing, node_capacity, node_pools
from clusterprint.rules.gke._pods import GPU, Pods, all_pods, pools_for
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_OF_ONE_POOL = "cloud.google.com/"


@rule("GKE155", severity=Severity.ERROR)
def pod_without_node(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    del workloads
    if existing.is_existing(context.blueprint):
        return  # it may run on nodes of which nothing is known
    for pods in all_pods(context):
        cpus, memory = pods.cpus, pods.memory_gib
        types = _types(pods, context) if cpus or memory else {}
        machines = {name: found for name, each in types.items() if (found := catalog.machine(each))}
        if not machines or len(machines) < len(types):
            continue
        has = {name: node_capacity.allocatable(each) for name, each in machines.items()}
        if any(cpus <= each.cpus and memory <= each.memory_gb for each in has.values()):
            continue
        name = max(has, key=lambda each: (has[each].cpus >= cpus, has[each].memory_gb))
        room = node_capacity.room(machines[name])
        few = cpus > has[name].cpus
        asked = f"{math.ceil(cpus)} vCPUs" if few else f"{math.ceil(memory)} GiB of memory"
        yield Finding(
            f"{pods.one} requests {asked}, but a node of pool {name} has about "
            f"{room.cpus if few else room.memory_gb} for pods",
            pods.place(context),
            help="request less, or add a pool of larger machines",
        )


def _types(pods: Pods, context: Context[GkeBlueprint]) -> dict[str, str]:
    """The machine types of the pools that pods may run on, by name; none if that cannot be known."""
    pools = pools_for(pods, context)
    if pools is None or pods.is_elsewhere:
        return {}
    found = {pool.name: pool.machine_type for pool in pools if _takes(pool, pods, context)}
    if any(key.startswith(_OF_ONE_POOL) for key in pods.selector):
        return found  # the system pool has none of the labels that pods select here
    return {node_pools.SYSTEM_POOL: context.blueprint.system_pool.machine_type, **found}


def _takes(pool: NodePool, pods: Pods, context: Context[GkeBlueprint]) -> bool:
    """Whether a pool takes pods: GPUs and classes that they name are tolerated without a word."""
    if pods.spec.get("tolerations"):
        return True
    kept = any(each.effect != "prefer_no_schedule" for each in pool.taints)
    classed = node_pools.compute_class(context.blueprint, pool) and not pods.compute_class
    return not (kept or classed or (node_pools.is_accelerated(pool) and not pods.asks_for(GPU)))
