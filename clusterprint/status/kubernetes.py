"""Nodes and jobs of kinds gke and ray: what the Kubernetes API says, through kubectl."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from clusterprint.access.inside import Inside, inside
from clusterprint.derived.node_pools import SLICES_LABEL
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.part import StackPlan
from clusterprint.results.job import read_job
from clusterprint.results.jobset import read_jobset
from clusterprint.results.workload import WORKLOADS, deactivated
from clusterprint.status.machines import MISSING, READY, Job, Machines, Node
from clusterprint.status.programs import Programs, Unasked

_POOL = "cloud.google.com/gke-nodepool"
_ZONE = "topology.kubernetes.io/zone"
_NO_SUCH_KIND = "the server doesn't have a resource type"
_TIMEOUT = "--request-timeout=30s"


def _ray_cluster(found: Mapping[str, Any]) -> tuple[str, str]:
    status = found.get("status", {})
    ready, wanted = status.get("readyWorkerReplicas", 0), status.get("desiredWorkerReplicas", 0)
    state = str(status.get("state") or "unknown")
    return state, f"{ready} of {wanted} workers are ready" if wanted else str(status.get("reason", ""))


def _ray_job(found: Mapping[str, Any]) -> tuple[str, str]:
    status = found.get("status", {})
    state = status.get("jobStatus") or status.get("jobDeploymentStatus") or "unknown"
    return str(state).lower(), str(status.get("message", ""))


def _ray_service(found: Mapping[str, Any]) -> tuple[str, str]:
    status = found.get("status", {})
    true = {each.get("type"): each for each in status.get("conditions", ()) if each.get("status") == "True"}
    ready = "ready" if "Ready" in true else str(status.get("serviceStatus") or "unknown").lower()
    return ready, ""


def _mpi_job(found: Mapping[str, Any]) -> tuple[str, str]:
    job = read_job(dict(found))
    return job.state.name.lower(), job.message


def _jobset(found: Mapping[str, Any]) -> tuple[str, str]:
    job = read_jobset(dict(found))
    return job.state.name.lower(), job.message


def _leader_worker_set(found: Mapping[str, Any]) -> tuple[str, str]:
    status = found.get("status", {})
    ready, wanted = status.get("readyReplicas", 0), found.get("spec", {}).get("replicas", 0)
    return "ready" if ready >= wanted else "waiting", f"{ready} of {wanted} replicas are ready"


# The states of jobs that Kueue has not admitted.
_WAITING = frozenset({"queued", "suspended"})
# What runs in clusters, by the kinds that kubectl knows, and how to read each.
_JOBS: dict[str, Callable[[Mapping[str, Any]], tuple[str, str]]] = {
    "mpijobs.kubeflow.org": _mpi_job,
    "jobsets.jobset.x-k8s.io": _jobset,
    "trainjobs.trainer.kubeflow.org": _jobset,
    "leaderworkersets.leaderworkerset.x-k8s.io": _leader_worker_set,
    "rayclusters.ray.io": _ray_cluster,
    "rayjobs.ray.io": _ray_job,
    "rayservices.ray.io": _ray_service,
}
#: The state of a job that Kueue has given up.
DEACTIVATED = "deactivated"
#: Those of them that never end.
SERVING = ("leaderworkersets.leaderworkerset.x-k8s.io", "rayclusters.ray.io", "rayservices.ray.io")


def machines_of(plans: Sequence[StackPlan], programs: Programs) -> Machines:
    """The nodes of a cluster by pool, and what runs on them; of somebody else's, those that were added."""
    of = inside(plans)
    made = [each for each in plans if isinstance(each, GkeClusterPlan)]
    pools = {pool.key: pool for each in made for pool in (each.system_pool, *each.pools) if pool}
    wanted = sum(map(_least, pools.values()))
    try:
        found = programs.items("kubectl", of.context, "get", "nodes", "--output=json", _TIMEOUT)
    except Unasked as error:
        login = of.cluster.login
        return Machines(wanted, unknown=(f"nodes and jobs: {error}; to get its credentials: {login}",))
    nodes = [_node(each, pools) for each in found]
    if not any(each.control_plane for each in made):
        nodes = [each for each in nodes if each.group in {pool.group for pool in pools.values()}]
    missing = list(_missing(pools.values(), nodes))
    jobs, unknown = jobs_of(of, programs)
    in_order = sorted(nodes, key=lambda each: (each.group, each.name))
    return Machines(wanted, (*in_order, *missing), tuple(job for _, job in jobs), tuple(unknown))


def _least(pool: PoolPlan) -> int:
    if pool.autoscaling is None:
        return pool.nodes_per_zone * len(pool.zones)
    return pool.autoscaling.min * (len(pool.zones) if pool.autoscaling.per_zone else 1)


def _node(found: Mapping[str, Any], pools: Mapping[str, PoolPlan]) -> Node:
    metadata, status = found.get("metadata", {}), found.get("status", {})
    labels = metadata.get("labels", {})
    pool = str(labels.get(_POOL, ""))
    conditions = {each.get("type"): each for each in status.get("conditions", ())}
    ready = conditions.get("Ready", {})
    state = READY if ready.get("status") == "True" else "not ready"
    cordoned = state == READY and found.get("spec", {}).get("unschedulable")
    detail = "accepts no pods (cordoned)" if cordoned else "" if state == READY else ready.get("message", "")
    return Node(
        name=str(metadata.get("name", "")),
        group=pools[pool].group if pool in pools else str(labels.get(SLICES_LABEL, pool)),
        place=str(labels.get(_ZONE, "")),
        state=state,
        detail=str(detail),
        since=str(metadata.get("creationTimestamp", "")),
    )


def _missing(pools: Collection[PoolPlan], nodes: Sequence[Node]) -> Iterator[Node]:
    """Nodes that have to be there and are not; the API knows no names for those."""
    for group in dict.fromkeys(each.group for each in pools):
        wanted = sum(_least(each) for each in pools if each.group == group)
        there = sum(each.group == group for each in nodes)
        for number in range(there, wanted):
            yield Node(f"{group} ({number + 1} of {wanted})", group, "", MISSING)


def jobs_of(of: Inside, programs: Programs) -> tuple[list[tuple[str, Job]], list[str]]:
    """Objects that run in a cluster, each with its kind for kubectl; and why some kinds could not be read."""
    if of.content is None:
        return [], []
    found: list[tuple[str, str, Job]] = []
    unknown: list[str] = []
    for kind, read in _JOBS.items():
        words = (of.context, "get", kind, "--all-namespaces", "--output=json", _TIMEOUT)
        try:
            objects = programs.items("kubectl", *words)
        except Unasked as error:
            if _NO_SUCH_KIND not in str(error):
                unknown.append(f"{kind}: {error}")
            continue
        for each in objects:
            metadata = each.get("metadata", {})
            if any(owner.get("kind") == "TrainJob" for owner in metadata.get("ownerReferences", ())):
                continue
            name, namespace = str(metadata.get("name", "")), str(metadata.get("namespace", ""))
            job = Job(str(each.get("kind") or kind), name, namespace, *read(each))
            found.append((kind, str(metadata.get("uid", "")), job))
    given_up = _given_up(of, programs) if any(job.state in _WAITING for _, _, job in found) else {}
    return [
        (kind, job._replace(state=DEACTIVATED, message=given_up[uid]) if uid in given_up else job)
        for kind, uid, job in found
    ], unknown


def _given_up(of: Inside, programs: Programs) -> dict[str, str]:
    """The reasons of Kueue by the ids of jobs; without Kueue there are none."""
    words = (of.context, "get", WORKLOADS, "--all-namespaces", "--output=json", _TIMEOUT)
    try:
        return deactivated(programs.items("kubectl", *words))
    except Unasked:
        return {}
