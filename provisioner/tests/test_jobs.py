"""Jobs that wait for nodes: the nine cases of the earlier controller, and more."""

import pytest
from lab import HOME, Lab
from users import JOBS, JOBSETS, NODES, PODS, V5P

from clusterprint_provisioner.controller import Deposed


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


def test_a_condition_of_some_pod_without_a_time_keeps_no_job_waiting() -> None:
    """The API server writes null for a time that a controller does not set."""
    lab = Lab()
    condition = {"type": "Ready", "status": "True", "lastProbeTime": None, "lastTransitionTime": None}
    status = {"phase": "Running", "conditions": [condition]}
    lab.api.put(PODS, {"metadata": {"name": "other", "namespace": "default"}, "spec": {}, "status": status})
    lab.jobset("train")
    lab.round()
    assert len(lab.cloud.created) == 1


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
    started, succeeded = "NodePoolCreationStarted", "NodePoolCreationSucceeded"
    assert lab.events() == [started, succeeded, "NodePoolDeletionStarted", started, succeeded]


@pytest.mark.parametrize("seconds", [10, 120], ids=["while its pool is made", "when it runs"])
def test_a_suspended_jobset_does_not_say_that_it_waits_for_a_pool_or_has_one(seconds: int) -> None:
    lab = Lab()
    lab.jobset("train")
    lab.run(seconds)
    lab.suspend("train")
    lab.run(300)
    said = lab.condition("train")
    assert said is not None
    assert (said["status"], said["reason"]) == ("True", "NotNeeded")
    assert lab.pools() == []


def test_what_an_ended_jobset_says_stays() -> None:
    lab = Lab()
    wait_for(lab)
    lab.end("train")
    lab.run(300)
    said = lab.condition("train")
    assert said is not None
    assert said["reason"] == "Ready"


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


def test_nodes_that_have_lived_long_enough_go_with_their_job() -> None:
    lab = Lab({"NODE_MIN_LIFESPAN": "10m"})
    wait_for(lab)
    lab.run(700)
    lab.end("train")
    lab.run(40)
    assert len(lab.cloud.deleted) == 1


def test_nodes_have_their_least_life_and_the_delay_is_kept() -> None:
    lab = Lab({"NODE_MIN_LIFESPAN": "10m", "NODEPOOL_DELETION_DELAY": "1m"})
    wait_for(lab)
    lab.end("train")
    lab.run(300)
    assert lab.cloud.deleted == []
    lab.run(400)
    assert lab.pools() == []


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
    lab = Lab()
    lab.jobset("train")
    lab.leads = False
    with pytest.raises(Deposed):
        lab.round()
    assert lab.cloud.created == []
    assert lab.api.get("/configmaps", HOME, "slice-provisioner-records") is not None
