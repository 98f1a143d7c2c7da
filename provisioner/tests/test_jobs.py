"""What becomes of jobs that wait: the nine cases of the controller before this one, and more."""

from itertools import pairwise
from typing import Any

import pytest
from container_api import STOCK_OUT
from lab import HOME, JOBS, JOBSETS, NODES, PODS, V5P, Lab


def wait_for(lab: Lab, name: str = "train") -> str:
    """A JobSet whose pods run on a pool of its own; its name."""
    lab.jobset(name)
    lab.run(120)
    (pool,) = lab.pools()
    assert all(pod["status"]["phase"] == "Running" for pod in lab.api.all(PODS))
    return pool


def test_the_first_pod_waits_and_a_pool_is_made() -> None:
    lab = Lab()
    lab.jobset("train")
    lab.round()
    (pool,) = lab.cloud.created
    assert pool["name"].startswith("train-slice-0-")
    assert pool["initialNodeCount"] == 2
    assert pool["locations"] == ["us-east5-a"]
    assert pool["config"]["machineType"] == "ct5p-hightpu-4t"
    assert pool["config"]["serviceAccount"] == "nodes@my-project.iam.gserviceaccount.com"
    assert pool["placementPolicy"] == {"type": "COMPACT", "tpuTopology": "2x2x2"}
    assert pool["management"] == {"autoRepair": True, "autoUpgrade": False}


@pytest.mark.parametrize(
    ("index", "node", "opted_out"),
    [(0, "a-node", False), (1, "", False), (1, "a-node", False), (0, "", True)],
    ids=["the first pod runs", "another pod waits", "another pod runs", "the first pod is opted out"],
)
def test_no_pool_is_made(index: int, node: str, opted_out: bool) -> None:
    lab = Lab()
    jobset = lab.jobset("train", pods=0)
    job = lab.api.get(JOBS, "default", "train-slice-0")
    labels = {"tpu-provisioner.cloud.google.com/disable-autoprovisioning": "true"} if opted_out else {}
    lab.pod(
        "train-slice-0-x", of=job, index=index, node=node, labels=labels, jobset=jobset["metadata"]["name"]
    )
    lab.run(60)
    assert lab.cloud.created == []


def test_the_jobset_is_gone_and_so_is_its_pool() -> None:
    lab = Lab()
    wait_for(lab)
    lab.delete("train")
    lab.run(120)
    assert lab.pools() == []
    assert lab.api.all(NODES) == []


def test_the_jobset_goes_on_and_its_pool_stays() -> None:
    lab = Lab()
    pool = wait_for(lab)
    lab.run(3600, step=60)
    assert lab.pools() == [pool]
    assert lab.cloud.deleted == []


@pytest.mark.parametrize("condition", ["Completed", "Failed"])
def test_the_jobset_has_ended_and_its_pool_goes(condition: str) -> None:
    lab = Lab()
    wait_for(lab)
    lab.end("train", condition)
    lab.run(120)
    assert lab.pools() == []


def test_the_jobset_is_suspended_and_its_pool_goes_and_comes_back() -> None:
    """As Kueue does it: what it takes back is suspended, what it admits is resumed."""
    lab = Lab()
    pool = wait_for(lab)
    lab.suspend("train")
    lab.run(120)
    assert lab.pools() == []
    lab.api.change(JOBSETS, "default", "train", lambda each: each["spec"].update(suspend=False))
    lab.api.change(JOBS, "default", "train-slice-0", lambda each: each["spec"].update(suspend=False))
    lab.pod("again", of=lab.api.get(JOBS, "default", "train-slice-0"), jobset="train")
    lab.run(120)
    assert lab.pools() == [pool]


def test_a_job_that_stands_alone_has_a_pool_too() -> None:
    lab = Lab()
    lab.job("alone", pods=2)
    lab.run(120)
    assert len(lab.pools()) == 1
    lab.api.change(
        JOBS,
        "default",
        "alone",
        lambda each: each["status"].update(conditions=[{"type": "Complete", "status": "True"}]),
    )
    for pod in lab.api.all(PODS):
        lab.api.remove(PODS, "default", pod["metadata"]["name"])
    lab.run(120)
    assert lab.pools() == []


def test_each_job_of_a_jobset_has_its_own_pool() -> None:
    lab = Lab()
    jobset = lab.jobset("train")
    lab.job("train-slice-1", of=jobset)
    lab.run(200)
    assert len(lab.pools()) == 2
    said = lab.condition("train")
    assert said is not None
    assert (said["status"], said["reason"]) == ("True", "Ready")
    assert said["message"] == "2 of 2 slices have their pool"


def test_a_jobset_made_anew_gets_a_new_pool_and_the_old_one_goes() -> None:
    lab = Lab()
    pool = wait_for(lab)
    lab.delete("train")
    lab.jobset("train")
    for _ in range(30):
        lab.round()  # before anything is put on the nodes of the old one, which also fit
        lab.wait(5)
    (new,) = lab.pools()
    assert new != pool
    assert lab.cloud.deleted == [pool]


def test_what_happens_is_told_once() -> None:
    lab = Lab()
    wait_for(lab)
    lab.end("train")
    lab.run(300)
    assert lab.events() == [
        "NodePoolCreationStarted",
        "NodePoolCreationSucceeded",
        "NodePoolDeletionStarted",
    ]


def test_no_machines_in_one_zone_and_the_next_one_is_tried() -> None:
    lab = Lab()
    lab.cloud.fails = lambda pool: STOCK_OUT if pool["locations"] == ["us-east5-a"] else ""
    lab.jobset("train", annotations={"clusterprint/zones": "us-east5-a,us-east5-b"})
    lab.run(65)
    said = lab.condition("train")
    assert said is not None
    assert (said["status"], said["reason"]) == ("False", "StockOut")
    assert "does not have enough resources available" in said["message"]
    lab.run(300)
    assert [pool["locations"] for pool in lab.cloud.created] == [["us-east5-a"], ["us-east5-b"]]
    assert lab.cloud.pools[lab.pools()[0]]["status"] == "RUNNING"
    assert "NodePoolStockOut" in lab.events()


def test_capacity_is_tried_in_the_order_of_the_annotation() -> None:
    lab = Lab()
    lab.cloud.fails = lambda pool: "" if pool["config"].get("flexStart") else STOCK_OUT
    order = "reservation:projects/other/reservations/ours, spot, on-demand, flex-start"
    lab.jobset("train", annotations={"clusterprint/capacity": order})
    lab.run(600)
    reserved, spot, on_demand, flexible = lab.cloud.created
    assert reserved["config"]["reservationAffinity"]["values"] == ["projects/other/reservations/ours"]
    assert spot["config"]["spot"] is True
    assert "spot" not in on_demand["config"]
    assert flexible["config"]["flexStart"] is True
    assert (flexible["initialNodeCount"], flexible["autoscaling"]["totalMaxNodeCount"]) == (0, 2)
    assert len({pool["name"] for pool in lab.cloud.created}) == 1


def test_when_everything_was_tried_it_waits_longer_each_time() -> None:
    lab = Lab({"GCP_ZONE": "us-east5-a,us-east5-b"})
    lab.cloud.fails = lambda _pool: "Quota 'TPU_V5P' exceeded. Limit: 0 in region us-east5."
    lab.jobset("train")
    started = []
    for _ in range(600):
        before = len(lab.cloud.created)
        lab.round()
        started += [lab.steady] * (len(lab.cloud.created) - before)
        lab.wait(5)
    gaps = [round(after - before) for before, after in pairwise(started)]
    between_rounds = gaps[1::2]
    assert all(gap <= 150 for gap in gaps[::2])  # the next zone at once: one creation and one deletion
    assert between_rounds == sorted(between_rounds)
    assert between_rounds[-1] > between_rounds[0] + 60
    assert "NodePoolQuotaExceeded" in lab.events()


def test_a_creation_that_leaves_no_pool_is_seen_too() -> None:
    lab = Lab({"GCP_ZONE": "us-east5-a,us-east5-b"})
    lab.cloud.leaves_pool = False
    lab.cloud.fails = lambda pool: STOCK_OUT if pool["locations"] == ["us-east5-a"] else ""
    lab.jobset("train")
    lab.run(300)
    assert [pool["locations"] for pool in lab.cloud.created] == [["us-east5-a"], ["us-east5-b"]]
    assert lab.events().count("NodePoolStockOut") == 1


def test_a_request_that_is_refused_is_told_and_tried_elsewhere() -> None:
    lab = Lab({"GCP_ZONE": "us-east5-a,us-east5-b"})
    answers = [(400, "Reservation ours does not exist"), (403, "Permission denied: actAs")]
    lab.cloud.refuses = lambda method, _path: answers.pop(0) if method == "POST" and answers else None
    lab.jobset("train")
    lab.run(300)
    assert lab.events()[:2] == ["NodePoolReservationUnavailable", "NodePoolForbidden"]
    assert len(lab.pools()) == 1


def test_what_is_busy_is_no_failure() -> None:
    lab = Lab()
    busy = [(400, "Cluster is running incompatible operation")] * 3
    lab.cloud.refuses = lambda method, _path: busy.pop() if method == "POST" and busy else None
    lab.jobset("train")
    lab.run(120)
    assert len(lab.pools()) == 1
    assert not [
        each for each in lab.events() if each != "NodePoolCreationStarted" and "Succeeded" not in each
    ]


def test_a_pool_on_which_another_pod_runs_stays_until_that_ends() -> None:
    lab = Lab()
    pool = wait_for(lab)
    other = lab.job("other", pods=0)
    lab.pod("guest", of=other, node=f"gke-{pool}-0", index=0)
    lab.end("train")
    lab.run(300)
    assert lab.pools() == [pool]
    assert "NodePoolKept" in lab.events()
    lab.api.remove(PODS, "default", "guest")
    lab.run(120)
    assert lab.pools() == []


def test_what_the_system_runs_keeps_no_pool() -> None:
    lab = Lab()
    pool = wait_for(lab)
    lab.pod("device-plugin", "kube-system", of=None, node=f"gke-{pool}-0")
    lab.end("train")
    lab.run(120)
    assert lab.pools() == []


def test_a_pool_that_it_did_not_make_is_never_touched() -> None:
    """Not even one with our labels: they are easily copied, the name follows from them and nothing else."""
    lab = Lab()
    pool = wait_for(lab)
    made = lab.cloud.pools[pool]
    lab.cloud.own({"name": "copied", "config": made["config"]})
    lab.cloud.own({"name": "theirs", "config": {"machineType": "ct5p-hightpu-4t"}, "status": "ERROR"})
    stripped = {**made["config"], "metadata": {}}
    lab.delete("train")
    lab.cloud.pools[pool]["config"] = stripped
    lab.run(300)
    assert lab.pools() == sorted(["copied", "theirs", pool])
    assert lab.cloud.deleted == []


def test_nodes_have_their_least_life_and_the_delay_is_kept() -> None:
    lab = Lab({"NODE_MIN_LIFESPAN": "10m", "NODEPOOL_DELETION_DELAY": "1m"})
    wait_for(lab)
    lab.end("train")
    lab.run(300)
    assert lab.cloud.deleted == []
    lab.run(400)
    assert lab.pools() == []


def test_a_pool_that_others_have_taken_is_told() -> None:
    """Whoever selects nothing of its own may find its nodes taken by another job of the same shape."""
    lab = Lab({"MAX_POOLS_PER_NAMESPACE": "1"})
    lab.jobset("a")
    lab.round()
    lab.jobset("b")
    lab.wait(60)
    lab.round()
    for index in (0, 1):  # b takes what was made for a
        pod = lab.api.get(PODS, "default", f"b-slice-0-{index}")
        assert pod is not None
        pod["spec"]["nodeName"] = f"gke-{lab.pools()[0]}-{index}"
        pod["status"] = {"phase": "Running", "conditions": []}
        lab.api.put(PODS, pod)
    lab.round()
    lab.round()
    taken, served = lab.condition("a"), lab.condition("b")
    assert taken is not None
    assert (taken["status"], taken["reason"]) == ("False", "Occupied")
    assert "default/b-slice-0-0, default/b-slice-0-1" in taken["message"]
    assert served is not None
    assert (served["status"], served["reason"]) == ("True", "NotNeeded")


def test_limits_of_a_namespace_hold_and_the_oldest_job_comes_first() -> None:
    lab = Lab({"MAX_POOLS_PER_NAMESPACE": "2", "MAX_CHIPS_PER_NAMESPACE": "20"})
    for name in ("b", "a", "c"):
        lab.jobset(name, selector={**V5P, "job-key": name})
    lab.jobset("elsewhere", "research", selector={**V5P, "job-key": "elsewhere"})
    lab.run(300)
    assert [each.partition("-")[0] for each in lab.pools()] == ["a", "b", "elsewhere"]
    said = lab.condition("c")
    assert said is not None
    assert said["reason"] == "Limited"
    lab.end("a")
    lab.run(300)
    assert [each.partition("-")[0] for each in lab.pools()] == ["b", "c", "elsewhere"]


def test_a_pool_that_grows_by_itself_is_left_to_grow() -> None:
    lab = Lab()
    lab.cloud.own(
        {
            "name": "static",
            "autoscaling": {"enabled": True},
            "config": {"machineType": "ct5p-hightpu-4t"},
            "placementPolicy": {"tpuTopology": "2x2x2"},
        }
    )
    lab.jobset("train")
    lab.run(60)
    assert lab.cloud.created == []
    said = lab.condition("train")
    assert said is not None
    assert said["reason"] == "LeftToAutoscaler"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"selector": {**V5P, "cloud.google.com/gke-tpu-topology": "2x2"}}, "has 3 dimensions"),
        ({"selector": {**V5P, "cloud.google.com/gke-tpu-topology": "2x2x999999999"}}, "has 3 dimensions"),
        (
            {"selector": {**V5P, "cloud.google.com/gke-tpu-accelerator": "tpu-v9"}},
            "no TPU is called 'tpu-v9'",
        ),
        ({"chips": 3}, "no machine of tpu-v5p-slice has 3 chips: let a pod ask for 1, 2, 4"),
        ({"annotations": {"clusterprint/capacity": "cheap"}}, "say on-demand, spot, flex-start"),
        ({"annotations": {"clusterprint/capacity": "flex-start,spot"}}, "let it be the last"),
        ({"annotations": {"clusterprint/zones": "here"}}, "'here' in it, which is no zone"),
        (
            {
                "annotations": {"clusterprint/capacity": "spot,on-demand"},
                "selector": {**V5P, "cloud.google.com/gke-spot": "true"},
            },
            "only fit spot nodes",
        ),
    ],
)
def test_a_job_for_which_there_can_be_no_pool_is_told_why(given: dict[str, Any], words: str) -> None:
    lab = Lab()
    lab.jobset("train", **given)
    lab.run(60)
    assert lab.cloud.created == []
    said = lab.condition("train")
    assert said is not None
    assert said["reason"] == "Refused"
    assert words in said["message"]
    assert lab.events() == ["NodePoolRefused"]


def test_selectors_and_labels_reach_the_nodes() -> None:
    """By a selector of its own a job is bound to its pool, whatever else waits."""
    lab = Lab({"GCP_POD_TO_NODE_LABELS": "team"})
    selector = {**V5P, "job-key": "abc", "cloud.google.com/gke-spot": "true"}
    spot = {"key": "cloud.google.com/gke-spot", "operator": "Equal", "value": "true", "effect": "NoSchedule"}
    bound = {"key": "alpha.jobset.sigs.k8s.io/no-schedule", "operator": "Exists"}
    lab.jobset("train", selector=selector, labels={"team": "ml"}, tolerations=[spot, bound])
    lab.round()
    (pool,) = lab.cloud.created
    labels = pool["config"]["labels"]
    assert (labels["job-key"], labels["team"]) == ("abc", "ml")
    assert not [key for key in labels if key.startswith("cloud.google.com/")]
    assert pool["config"]["taints"] == [
        {"key": "alpha.jobset.sigs.k8s.io/no-schedule", "value": "true", "effect": "NO_SCHEDULE"},
        {"key": "cloud.google.com/gke-spot", "value": "true", "effect": "NO_SCHEDULE"},
    ]


def test_blocks_of_gpus_are_made_too() -> None:
    lab = Lab({"POD_RESOURCE_TYPE": "nvidia.com/gpu"})
    selector = {
        "node.kubernetes.io/instance-type": "a3-megagpu-8g",
        "cloud.google.com/gke-accelerator": "nvidia-h100-mega-80gb",
    }
    lab.job("nccl", pods=4, selector=selector, chips=4, resource="nvidia.com/gpu")
    lab.round()
    (pool,) = lab.cloud.created
    assert pool["initialNodeCount"] == 2
    assert pool["config"]["accelerators"][0]["acceleratorType"] == "nvidia-h100-mega-80gb"
    assert "placementPolicy" not in pool


def test_a_job_that_asks_for_something_else_gets_another_pool() -> None:
    lab = Lab()
    lab.jobset("train")
    lab.round()
    lab.wait(120)
    pod = lab.api.get(PODS, "default", "train-slice-0-0")
    assert pod is not None
    pod["spec"]["nodeSelector"]["cloud.google.com/gke-spot"] = "true"
    lab.api.put(PODS, pod)
    lab.run(300)
    assert [pool["config"].get("spot", False) for pool in lab.cloud.created] == [False, True]


def test_without_jobset_in_the_cluster_jobs_have_their_pools() -> None:
    lab = Lab()
    lab.api.absent.add(JOBSETS)
    lab.job("alone")
    lab.round()
    assert len(lab.cloud.created) == 1


def test_whoever_does_not_lead_changes_nothing() -> None:
    from clusterprint_provisioner.controller import Deposed

    lab = Lab()
    lab.jobset("train")
    lab.leads = False
    with pytest.raises(Deposed):
        lab.round()
    assert lab.cloud.created == []
    assert lab.api.get("/configmaps", HOME, "slice-provisioner-records") is not None
