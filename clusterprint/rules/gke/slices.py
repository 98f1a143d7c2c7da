from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.catalog import tpu_types
from clusterprint.derived import names, node_pools
from clusterprint.derived.name_forms import GKE
from clusterprint.rules.gke._pods import TPU, Pods, all_pods, pools_for
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, listed, rule


@rule("GKE150", severity=Severity.ERROR)
def pods_for_missing_slice(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    del workloads
    for pods in all_pods(context):
        asked = " ".join(filter(None, (pods.tpu_type, pods.topology)))
        if not asked and not pods.asks_for(TPU):
            continue
        pools = pools_for(pods, context)
        with_tpus = [pool for pool in pools or () if node_pools.tpu(pool)]
        if pools is None or with_tpus:
            continue
        there = [_slice(pool) for pool in context.blueprint.node_pools if node_pools.tpu(pool)]
        yield Finding(
            f"{pods.where} asks for {f'a TPU slice {asked}' if asked else 'TPUs'}, which no pool has",
            pods.place(context),
            help=f"the pools are {listed(there, 'and')}" if there else "add a pool with such machines",
        )


def _slice(pool: NodePool) -> str:
    found = node_pools.tpu(pool)
    label = found[0].accelerator_label if found else ""
    return f"{label} {pool.tpu.topology} ({pool.name})" if given(pool.tpu) else f"{label} ({pool.name})"


@rule("GKE152", severity=Severity.ERROR)
def pods_unlike_hosts_of_slice(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    del workloads
    for pods in all_pods(context):
        if pods.each is None or pods.jobs is None or not pods.asks_for(TPU):
            continue
        pools = pools_for(pods, context)
        slices = [pool for pool in pools or () if node_pools.nodes_per_slice(pool)]
        hosts = {node_pools.nodes_per_slice(pool) for pool in slices} or _hosts_of_provisioned(pods)
        if not hosts or 1 in hosts or pools == []:
            continue  # on one host, each pod has a slice of its own, and takes its turn
        if not any(pods.each and pods.each % number == 0 for number in hosts):
            yield _uneven(pods, pods.each, min(hosts), context)
        elif slices:
            yield from _too_many(pods, pods.each, pods.jobs * pods.each, slices, context)


def _hosts_of_provisioned(pods: Pods) -> set[int]:
    """How many hosts the slice has that is made for pods, if they say enough about it."""
    chips = pods.asks_for(TPU)
    return {
        hosts
        for tpu in tpu_types()
        for name, machine in tpu.machines.items()
        if tpu.accelerator_label == pods.tpu_type and machine.chips == chips
        if (hosts := tpu.node_count(pods.topology, name))
    }


def _uneven(pods: Pods, each: int, hosts: int, context: Context[GkeBlueprint]) -> Finding:
    slice_ = f"a slice {pods.topology}" if pods.topology else "the slice"
    return Finding(
        f"{pods.where} has {counted(each, 'pod')} in each job, but {slice_} has {hosts} hosts",
        pods.place(context),
        help=f"set parallelism and completions to {hosts}",
    )


def _too_many(
    pods: Pods, each: int, needed: int, slices: list[NodePool], context: Context[GkeBlueprint]
) -> Iterator[Finding]:
    most = sum(node_pools.max_nodes(context.blueprint, pool) for pool in slices)
    if needed <= most:
        return
    hosts = node_pools.nodes_per_slice(slices[0])
    yield Finding(
        f"{pods.where} needs {needed} hosts at the same time, but there are at most {most}",
        pods.place(context),
        also=(context.at(slices[0], "tpu", text="the slices"),),
        help=f"lower replicas to {most // each}, or raise the number of slices"
        if most >= each
        else f"set parallelism and completions to {hosts}",
    )


@rule("GKE154", severity=Severity.WARNING)
def pods_for_unlike_slices(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    del workloads
    for pods in all_pods(context):
        pools = [pool for pool in pools_for(pods, context) or () if node_pools.tpu(pool)]
        kinds = {(pool.machine_type, pool.capacity.model) for pool in pools}
        if len(kinds) < 2 or not pods.topology:  # noqa: PLR2004 - of one kind
            continue
        first = pools[0]
        several = node_pools.slices(first) > 1 or node_pools.is_rolled(first)
        label = node_pools.SLICES_LABEL if several else "cloud.google.com/gke-nodepool"
        yield Finding(
            f"{pods.where} selects nodes of pools {listed([pool.name for pool in pools], 'and')}, "
            "which differ in machine type or capacity",
            pods.place(context),
            also=tuple(context.at(pool, "name", text="one of the pools") for pool in pools),
            help=f"add the label of one pool to nodeSelector, such as {label}: {first.name}",
        )


@rule("GKE048", severity=Severity.ERROR, firm=True)
def slice_names_too_long(pool: NodePool, context: Context) -> Iterator[Finding]:
    number = node_pools.slices(pool)
    last = names.slice_pool(pool.name, number - 1)
    if number > 1 and not GKE.accepts(last):
        yield Finding(
            f"the last slice of the pool would be called {last}, with {len(last)} characters",
            context.at(pool, "name"),
            also=(context.at(pool, "tpu", "slices", text=f"{number} slices"),),
            help=f"use at most {GKE.longest - len(last) + len(pool.name)} characters",
        )
