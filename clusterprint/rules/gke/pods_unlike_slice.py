from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pod_groups import JobSet, PodGroup
from clusterprint.derived import node_pools, pod_groups
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule


@rule("GKE244", severity=Severity.ERROR, source="Google Cloud: TPUs in GKE, multi-host slices")
def pods_unlike_slice(group: PodGroup, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """Replicas on a pool of TPU slices do not have one pod for each host of a slice.

    A program on a slice runs on all of its hosts, or on none: with fewer pods it waits for the others.

    Leave the number of pods out, or make it that of the hosts.
    """
    pool = pool_of(group, context)
    hosts = node_pools.nodes_per_slice(pool) if pool is not None else 0
    if pool is None or not hosts:
        return
    pods = pod_groups.pods(group, pool)
    if pods != hosts:
        field = "pods_per_replica" if isinstance(group, JobSet) else "size"
        yield Finding(
            f"replicas of {group.noun} {group.name} have {counted(pods, 'pod')}, but a slice of pool "
            f"{pool.name} has {counted(hosts, 'host')}",
            context.at(group, field),
            also=(context.at(pool, "tpu", text="the slice"),),
            help=f"leave {field} out",
        )
