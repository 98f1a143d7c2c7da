"""Pools for LeaderWorkerSets and Ray clusters: one for each group, as long as there is that group."""

from typing import Any

import pytest
from lab import Lab
from patches import Object
from users import PODS, V5P

LWS, RAY = "leaderworkerset.x-k8s.io/leaderworkersets", "ray.io/rayclusters"
GPUS = {
    "node.kubernetes.io/instance-type": "a3-megagpu-8g",
    "cloud.google.com/gke-accelerator": "nvidia-h100-mega-80gb",
}
BLOCKS = {"POD_RESOURCE_TYPE": "nvidia.com/gpu"}
OF_BLOCK: dict[str, Any] = {"selector": GPUS, "chips": 8, "resource": "nvidia.com/gpu"}
CREATED = "2026-11-22T00:00:00Z"


def leader_worker_set(lab: Lab, *, replicas: int = 1, size: int = 2, leads: bool = True, **pods: Any) -> None:
    """A LeaderWorkerSet called serve, whose pods wait; the leader asks for a slice, too, if it `leads`."""
    template: Object = {"size": size}
    if not leads:
        template["leaderTemplate"] = {"spec": {"containers": [{"resources": {"limits": {"cpu": "4"}}}]}}
    meta = {"name": "serve", "namespace": "default", "creationTimestamp": CREATED}
    spec = {"replicas": replicas, "leaderWorkerTemplate": template}
    lab.api.put(LWS, {"kind": "LeaderWorkerSet", "metadata": meta, "spec": spec})
    for number in range(replicas):
        group(lab, number, size, leads=leads, **pods)


def group(lab: Lab, number: int, size: int = 2, *, leads: bool = True, **pods: Any) -> None:
    """The pods of one group, as the StatefulSets of a LeaderWorkerSet make them."""
    made_by = {"kind": "StatefulSet", "metadata": {"name": "serve", "uid": f"stateful-{number}"}}
    for index in range(size):
        labels = {
            "leaderworkerset.sigs.k8s.io/name": "serve",
            "leaderworkerset.sigs.k8s.io/group-index": str(number),
            "leaderworkerset.sigs.k8s.io/worker-index": str(index),
        }
        asks = pods if leads or index else {**pods, "resource": "example.com/none"}
        name = f"serve-{number}-{index}" if index else f"serve-{number}"
        lab.pod(name, of=made_by, index=None, labels=labels, **asks)


def ray_cluster(lab: Lab, hosts: int = 2) -> Object:
    """A Ray cluster with a group of workers, and a head that runs already."""
    groups = [{"groupName": "slices", "numOfHosts": hosts}]
    meta = {"name": "ray", "namespace": "default", "creationTimestamp": CREATED}
    spec = {"suspend": False, "workerGroupSpecs": groups}
    made = lab.api.put(RAY, {"kind": "RayCluster", "metadata": meta, "spec": spec})
    lab.pod("ray-head", of=made, index=None, resource="example.com/none", node="system")
    return made


def replica(lab: Lab, of: Object, name: str, hosts: int = 2, **pods: Any) -> None:
    """The workers of one replica, as KubeRay makes them; of one host they know no replica."""
    for host in range(hosts):
        of_several = {"ray.io/worker-group-replica-name": name, "ray.io/replica-host-index": str(host)}
        labels = {"ray.io/group": "slices", **(of_several if hosts > 1 else {})}
        lab.pod(f"{name}-{host}", of=of, index=None, labels=labels, **pods)


def remove(lab: Lab, beginning: str) -> None:
    """Pods go whose names begin so."""
    for pod in lab.api.all(PODS):
        if pod["metadata"]["name"].startswith(beginning):
            lab.api.remove(PODS, "default", pod["metadata"]["name"])


def running(lab: Lab) -> int:
    return sum(pod["status"]["phase"] == "Running" for pod in lab.api.all(PODS))


def names(lab: Lab) -> list[str]:
    """The pools, without the checksums in their names."""
    return [each.rpartition("-")[0] for each in lab.pools()]


def test_each_group_has_a_pool_and_its_pods_run() -> None:
    lab = Lab()
    leader_worker_set(lab, replicas=3)
    lab.run(300)
    assert names(lab) == ["serve-0", "serve-1", "serve-2"]
    assert [pool["placementPolicy"]["tpuTopology"] for pool in lab.cloud.created] == ["2x2x2"] * 3
    assert running(lab) == 6
    told = lab.api.all("/events")[0]["involvedObject"]
    assert (told["kind"], told["name"]) == ("LeaderWorkerSet", "serve")
    assert told["apiVersion"] == "leaderworkerset.x-k8s.io/v1"


def test_a_group_that_is_taken_away_loses_its_pool_and_the_others_stay() -> None:
    lab = Lab()
    leader_worker_set(lab, replicas=2)
    lab.run(300)
    gone = lab.api.get(PODS, "default", "serve-1")
    assert gone is not None
    pool = gone["spec"]["nodeName"]
    lab.api.change(LWS, "default", "serve", lambda each: each["spec"].update(replicas=1))
    remove(lab, "serve-1")
    lab.run(300)
    assert names(lab) == ["serve-0"], pool


def test_a_group_that_restarts_keeps_its_pool() -> None:
    """Though it has no pods for longer than pools are kept."""
    lab = Lab()
    leader_worker_set(lab)
    lab.run(200)
    remove(lab, "serve-0")
    lab.run(300)
    group(lab, 0)
    lab.run(100)
    assert len(lab.cloud.created) == 1
    assert running(lab) == 2


def test_the_set_is_deleted_and_nothing_is_left() -> None:
    lab = Lab()
    leader_worker_set(lab, replicas=2)
    lab.run(300)
    remove(lab, "serve")
    lab.api.remove(LWS, "default", "serve")
    lab.run(300)
    assert lab.pools() == []


def test_a_leader_that_asks_for_nothing_takes_no_machine() -> None:
    lab = Lab(BLOCKS)
    leader_worker_set(lab, size=5, leads=False, **OF_BLOCK)
    lab.round()
    (pool,) = lab.cloud.created
    assert pool["initialNodeCount"] == 4


def test_all_of_a_group_counts_though_only_its_leader_is_there_yet() -> None:
    lab = Lab(BLOCKS)
    leader_worker_set(lab, size=4, **OF_BLOCK)
    remove(lab, "serve-0-")
    lab.round()
    (pool,) = lab.cloud.created
    assert pool["initialNodeCount"] == 4


def test_a_block_for_ray_workers_of_several_hosts() -> None:
    lab = Lab(BLOCKS)
    replica(lab, ray_cluster(lab, hosts=3), "slices-abcde", hosts=3, **OF_BLOCK)
    lab.round()
    (pool,) = lab.cloud.created
    assert pool["initialNodeCount"] == 3
    assert pool["config"]["accelerators"][0]["acceleratorType"] == "nvidia-h100-mega-80gb"


def test_a_group_that_kueue_has_not_admitted_waits_without_a_pool() -> None:
    """Kueue holds pods by a scheduling gate until it admits them."""
    lab = Lab()
    leader_worker_set(lab)
    held(lab, "SchedulingGated")
    lab.run(100)
    assert lab.cloud.created == []
    held(lab, "Unschedulable")
    lab.run(200)
    assert running(lab) == 2


def held(lab: Lab, reason: str) -> None:
    """No pod is on a node, for this reason."""
    for pod in lab.api.all(PODS):
        pod["status"]["conditions"] = [{"type": "PodScheduled", "status": "False", "reason": reason}]
        lab.api.put(PODS, pod)


def test_pods_that_only_say_they_are_of_a_set_get_nothing() -> None:
    lab = Lab()
    group(lab, 0)
    lab.run(60)
    assert lab.cloud.created == []


def test_each_replica_of_ray_workers_has_a_pool_until_ray_takes_it_away() -> None:
    lab = Lab()
    cluster = ray_cluster(lab)
    replica(lab, cluster, "slices-abcde")
    replica(lab, cluster, "slices-vwxyz")
    lab.run(300)
    assert names(lab) == ["slices-abcde", "slices-vwxyz"]
    assert running(lab) == 5
    on = {each["spec"]["nodeName"] for each in lab.api.all(PODS) if "slices-v" in each["metadata"]["name"]}
    remove(lab, "slices-vwxyz")
    lab.run(300)
    assert len(on) == 2
    assert names(lab) == ["slices-abcde"]


def test_ray_workers_of_one_host_each_have_a_pool_of_their_own() -> None:
    lab = Lab()
    cluster = ray_cluster(lab, hosts=1)
    one_host = {**V5P, "cloud.google.com/gke-tpu-topology": "2x2x1"}
    for name in ("worker-a", "worker-b"):
        replica(lab, cluster, name, hosts=1, selector=one_host)
    lab.round()
    assert names(lab) == ["worker-a-0", "worker-b-0"]
    assert [pool["initialNodeCount"] for pool in lab.cloud.created] == [1, 1]


@pytest.mark.parametrize("how", ["suspended, as by Kueue", "deleted"])
def test_a_ray_cluster_that_is_not_to_run_has_no_pool(how: str) -> None:
    lab = Lab()
    cluster = ray_cluster(lab)
    replica(lab, cluster, "slices-abcde")
    lab.run(200)
    if how == "deleted":
        lab.api.remove(RAY, "default", "ray")
    else:
        lab.api.change(RAY, "default", "ray", lambda each: each["spec"].update(suspend=True))
    remove(lab, "slices-")
    lab.run(300)
    assert lab.pools() == []
    assert len(lab.cloud.created) == 1


def test_workers_of_a_suspended_ray_cluster_get_none() -> None:
    lab = Lab()
    cluster = ray_cluster(lab)
    lab.api.change(RAY, "default", "ray", lambda each: each["spec"].update(suspend=True))
    replica(lab, cluster, "slices-abcde")
    lab.run(60)
    assert lab.cloud.created == []


def test_a_restart_finds_the_pools_of_all_kinds_again() -> None:
    lab = Lab()
    leader_worker_set(lab)
    replica(lab, ray_cluster(lab), "slices-abcde")
    lab.jobset("train")
    for _ in range(40):
        lab.schedule()
        lab.round()
        lab.start()
        lab.wait(5)
    assert len(lab.cloud.created) == 3
    assert names(lab) == ["serve-0", "slices-abcde", "train-slice-0"]


def test_in_a_cluster_that_knows_neither_jobs_have_their_pools() -> None:
    lab = Lab()
    lab.api.absent |= {LWS, RAY}
    lab.jobset("train")
    lab.round()
    assert names(lab) == ["train-slice-0"]
