"""Pods that no new pool would help get none, and are told why; a pool on which they cannot run goes."""

from typing import Any

import pytest
from lab import Lab
from users import JOBS, PODS, UNSCHEDULED, V5P

ZONE, POOL = "topology.kubernetes.io/zone", "cloud.google.com/gke-nodepool"
#: What Kueue's flavor for these pools makes pods select.
OURS = {"clusterprint/slice-manager": "slice-provisioner"}
BLOCKS = {"POD_RESOURCE_TYPE": "nvidia.com/gpu"}
ARM = {"key": "kubernetes.io/arch", "operator": "Equal", "value": "arm64", "effect": "NoSchedule"}


def affinity(*terms: dict[str, Any]) -> dict[str, Any]:
    """A required node affinity of these terms."""
    required = {"nodeSelectorTerms": list(terms)}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def term(key: str, operator: str, *values: str, part: str = "matchExpressions") -> dict[str, Any]:
    """A term with one condition."""
    return {part: [{"key": key, "operator": operator, **({"values": list(values)} if values else {})}]}


def waits(given: dict[str, Any], settings: dict[str, str] | None = None) -> Lab:
    """A cluster where a JobSet with such pods has waited for a while, and nobody scheduled it."""
    lab = Lab(settings)
    lab.jobset("train", **{"selector": V5P, **given})
    lab.round()
    return lab


def said(lab: Lab) -> tuple[str, str, str]:
    """The status, the reason and the message of the JobSet's condition."""
    condition = lab.condition("train")
    assert condition is not None
    return condition["status"], condition["reason"], condition["message"]


@pytest.mark.parametrize(
    ("key", "value", "has"),
    [
        (POOL, "v5p", "train-slice-0-"),
        ("kubernetes.io/hostname", "gke-v5p-0", "only when they are created"),
        ("cloud.google.com/gce-topology-block", "b1", "only when they are created"),
        ("node.kubernetes.io/instance-type", "ct6e-standard-4t", "ct5p-hightpu-4t"),
        ("beta.kubernetes.io/instance-type", "n2-standard-4", "ct5p-hightpu-4t"),
        ("kubernetes.io/arch", "arm64", "amd64"),
        ("beta.kubernetes.io/arch", "arm64", "amd64"),
        ("kubernetes.io/os", "windows", "linux"),
        ("topology.kubernetes.io/region", "europe-west4", "us-east5"),
        ("failure-domain.beta.kubernetes.io/region", "europe-west4", "us-east5"),
        ("topology.gke.io/zone", "us-east5-b", "us-east5-a"),
        ("cloud.google.com/compute-class", "tpus", "no such label"),
        ("cloud.google.com/gke-provisioning", "spot", "standard"),
        ("cloud.google.com/gke-provisioning", "preemptible", "standard"),
        ("cloud.google.com/gke-spot", "false", "no such label"),
        ("cloud.google.com/gke-queued", "true", "no such label"),
        ("cloud.google.com/machine-family", "ct6e", "ct5p"),
        ("cloud.google.com/gke-accelerator-count", "8", "4"),
        ("cloud.google.com/gke-boot-disk", "pd-ssd", "hyperdisk-balanced"),
        ("node-role.kubernetes.io/tpu", "", "no such label"),
        ("clusterprint/slice-job", "another", "train-slice-0"),
    ],
)
def test_a_selector_that_no_pool_can_meet_buys_nothing(key: str, value: str, has: str) -> None:
    lab = waits({"selector": {**V5P, key: value}}, {"GCP_NODE_DISK_TYPE": "hyperdisk-balanced"})
    lab.run(1200, step=60)
    assert lab.cloud.created == []
    status, reason, message = said(lab)
    assert (status, reason) == ("False", "Refused")
    assert f"{key}: {value}, and " in message
    assert has in message
    assert lab.events() == ["NodePoolRefused"]


@pytest.mark.parametrize(
    ("requests", "words"),
    [
        ({"cpu": "208"}, "request 208 of cpu, and its nodes have 208, less what GKE keeps: request less"),
        ({"cpu": 300}, "request 300 of cpu"),
        ({"cpu": "208000m"}, "request 208000m of cpu"),
        ({"memory": "448Gi"}, "request 448Gi of memory, and its nodes have 448Gi, less"),
        ({"memory": "1T"}, "request 1T of memory"),
        ({"memory": "5e11"}, "request 5e11 of memory"),
        ({"nvidia.com/gpu": "1"}, "request 1 of nvidia.com/gpu, and its nodes have none: remove"),
    ],
    ids=str,
)
def test_a_request_that_is_larger_than_the_machine_buys_nothing(requests: dict[str, Any], words: str) -> None:
    lab = waits({"requests": requests})
    lab.run(1200, step=60)
    assert lab.cloud.created == []
    status, reason, message = said(lab)
    assert (status, reason) == ("False", "Refused")
    assert f"no pool would help, because its pods {words}" in message


@pytest.mark.parametrize(
    "requests",
    [
        {"cpu": "207", "memory": "440Gi"},
        {"cpu": "207900m", "memory": "440000M"},
        {"cpu": "0.5", "memory": "100000000k"},
        {"nvidia.com/gpu": "0"},
        {"cpu": "many"},
        {"networking.gke.io.networks/vpc1": "1", "ephemeral-storage": "900Ti"},
    ],
    ids=str,
)
def test_a_request_for_which_there_may_be_room_gets_a_pool(requests: dict[str, str]) -> None:
    assert len(waits({"requests": requests}).cloud.created) == 1


def test_a_machine_of_unknown_size_limits_nothing() -> None:
    v2 = {"selector": {**V5P, "cloud.google.com/gke-tpu-topology": "1x1x1"}, "pods": 1, "chips": 1}
    assert len(waits({**v2, "requests": {"cpu": "9000"}}).cloud.created) == 1


@pytest.mark.parametrize(
    "selector",
    [
        {"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux"},
        {"node.kubernetes.io/instance-type": "ct5p-hightpu-4t", "cloud.google.com/machine-family": "ct5p"},
        {ZONE: "us-east5-b", "topology.kubernetes.io/region": "us-east5"},
        {"cloud.google.com/gke-provisioning": "standard"},
        {"cloud.google.com/gke-provisioning": "spot", "cloud.google.com/gke-spot": "true"},
        {"cloud.google.com/gke-flex-start": "true", "cloud.google.com/gke-provisioning": "flex-start"},
        {"cloud.google.com/reservation-name": "ours", "cloud.google.com/reservation-project": "theirs"},
        {"cloud.google.com/gke-accelerator-count": "4", "cloud.google.com/gke-max-pods-per-node": "15"},
        {"cloud.google.com/gke-boot-disk": "pd-balanced", "addon.gke.io/node-local-dns-ds-ready": "true"},
        {"cloud.google.com/gke-tpu-ici-resiliency": "false", "team": "ml"},
        OURS,
    ],
    ids=", ".join,
)
def test_a_selector_that_nodes_will_meet_gets_a_pool(selector: dict[str, str]) -> None:
    assert len(waits({"selector": {**V5P, **selector}}).cloud.created) == 1


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ([term("cloud.google.com/compute-class", "In", "a", "b")], "compute-class: a, b, and"),
        ([term("cloud.google.com/compute-class", "Exists")], "compute-class Exists, and"),
        ([term("kubernetes.io/arch", "NotIn", "amd64")], "arch NotIn amd64, and its nodes have amd64"),
        ([term("kubernetes.io/arch", "DoesNotExist")], "arch DoesNotExist, and its nodes have amd64"),
        ([term("kubernetes.io/hostname", "In", "n1")], "hostname: n1, and nodes get that only"),
        ([term("kubernetes.io/hostname", "DoesNotExist")], "hostname DoesNotExist, and"),
        ([term("metadata.name", "In", "n1", part="matchFields")], "metadata.name: n1, and"),
        ([term("cloud.google.com/gke-accelerator-count", "Gt", "4")], "accelerator-count Gt 4, and"),
        ([term("cloud.google.com/gke-accelerator-count", "Lt", "4")], "accelerator-count Lt 4, and"),
        ([term("kubernetes.io/arch", "Gt", "4")], "arch Gt 4, and"),
        ([term("team", "In", "ml")], "team: ml, and its nodes have no such label"),
        ([term(ZONE, "In", "us-east5-b", "us-east5-c")], "zone: us-east5-b, us-east5-c, and"),
        ([term(POOL, "In", "v6e")], "gke-nodepool: v6e, and"),
        ([{}], "an empty term"),
        ([], "one of no terms"),
        (
            [term("kubernetes.io/arch", "In", "arm64"), term("kubernetes.io/os", "In", "windows")],
            "arch: arm64, and its nodes have amd64; or kubernetes.io/os: windows",
        ),
        (
            [
                {
                    **term("kubernetes.io/arch", "Exists"),
                    **term("metadata.name", "In", "n", part="matchFields"),
                }
            ],
            "metadata.name: n",
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_an_affinity_that_no_pool_can_meet_buys_nothing(terms: list[dict[str, Any]], words: str) -> None:
    lab = waits({"affinity": affinity(*terms)})
    lab.run(120)
    assert lab.cloud.created == []
    assert said(lab)[1] == "Refused"
    assert words in said(lab)[2]


@pytest.mark.parametrize(
    "terms",
    [
        [term("kubernetes.io/arch", "In", "arm64", "amd64")],
        [term("cloud.google.com/compute-class", "NotIn", "a")],
        [term("cloud.google.com/compute-class", "DoesNotExist")],
        [term("cloud.google.com/gke-tpu-accelerator", "Exists")],
        [term("cloud.google.com/gke-accelerator-count", "Gt", "3")],
        [term("cloud.google.com/gke-accelerator-count", "Lt", "5")],
        [term("kubernetes.io/hostname", "NotIn", "a-bad-node")],
        [term("metadata.name", "NotIn", "a-bad-node", part="matchFields")],
        [term("kubernetes.io/arch", "In", "arm64"), term("kubernetes.io/os", "In", "linux")],
    ],
    ids=str,
)
def test_an_affinity_that_nodes_will_meet_gets_a_pool(terms: list[dict[str, Any]]) -> None:
    assert len(waits({"affinity": affinity(*terms)}).cloud.created) == 1


def test_what_pods_prefer_keeps_no_pool_away() -> None:
    preferred = [{"weight": 1, "preference": term("kubernetes.io/arch", "In", "arm64")}]
    given = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
    assert len(waits({"affinity": given}).cloud.created) == 1


def test_only_offers_whose_nodes_fit_are_tried() -> None:
    lab = Lab({"GCP_ZONE": "us-east5-a,us-east5-b"})
    lab.jobset(
        "train",
        annotations={"clusterprint/capacity": "on-demand,spot"},
        affinity=affinity(
            {
                "matchExpressions": [
                    *term(ZONE, "NotIn", "us-east5-a")["matchExpressions"],
                    *term("cloud.google.com/gke-spot", "Exists")["matchExpressions"],
                ]
            }
        ),
    )
    lab.round()
    (pool,) = lab.cloud.created
    assert (pool["locations"], pool["config"]["spot"]) == (["us-east5-b"], True)


@pytest.mark.parametrize(
    ("selector", "tolerations", "made"),
    [
        ({}, [], 0),
        ({}, [{**ARM, "value": "amd64"}], 0),
        ({}, [{**ARM, "effect": "NoExecute"}], 0),
        ({}, [ARM], 1),
        ({}, [{"operator": "Exists"}], 1),
        ({"kubernetes.io/arch": "arm64"}, [], 1),
        ({"kubernetes.io/arch": "amd64"}, [ARM], 0),
    ],
)
def test_pods_have_to_tolerate_what_gke_taints(
    selector: dict[str, str], tolerations: list[dict[str, str]], made: int
) -> None:
    lab = Lab(BLOCKS)
    machine = {
        "node.kubernetes.io/instance-type": "a4x-highgpu-4g",
        "cloud.google.com/gke-accelerator": "nvidia-gb200",
    }
    block: dict[str, Any] = {"chips": 4, "resource": "nvidia.com/gpu", "tolerations": tolerations}
    lab.jobset("train", selector={**machine, **selector}, **block)
    lab.round()
    assert len(lab.cloud.created) == made
    assert said(lab)[1] == ("Provisioning" if made else "Refused")
    if not made:
        assert "kubernetes.io/arch" in said(lab)[2]


@pytest.mark.parametrize("effect", ["NoSchedule", "NoExecute"])
def test_pools_have_no_taint_that_the_pods_do_not_tolerate(effect: str) -> None:
    spot = "cloud.google.com/gke-spot"
    tolerated = {"key": spot, "operator": "Equal", "value": "true", "effect": effect}
    lab = waits({"selector": {**V5P, spot: "true"}, "tolerations": [tolerated]})
    (pool,) = lab.cloud.created
    assert [each["key"] for each in pool["config"].get("taints", [])] == [spot] * (effect == "NoSchedule")


@pytest.mark.parametrize("how", ["selector", "affinity"])
def test_pods_that_name_a_pool_of_somebody_else_are_left_alone(how: str) -> None:
    """As with a flavor of Kueue: they wait for room there, and nothing is wrong."""
    lab = Lab()
    lab.cloud.own({"name": "v5p", "config": {"machineType": "ct5p-hightpu-4t"}})
    given: dict[str, Any] = (
        {"selector": {**V5P, POOL: "v5p", "job-key": "abc"}}
        if how == "selector"
        else {"affinity": affinity(term(POOL, "In", "v5p"))}
    )
    lab.jobset("train", **given)
    lab.run(300)
    assert lab.cloud.created == []
    assert lab.condition("train") is None
    assert lab.events() == []


@pytest.mark.parametrize("key", ["selector", "affinity"])
def test_jobs_on_slices_of_the_blueprint_buy_nothing(key: str) -> None:
    """They select all pools of these slices by one label; the first job has them, the second one waits."""
    lab = Lab()
    for number in range(2):
        labels = {"clusterprint/pool": "v5p"}
        lab.cloud.own(
            {"name": f"v5p-{number}", "config": {"machineType": "ct5p-hightpu-4t", "labels": labels}}
        )
    if key == "selector":
        lab.jobset("train", selector={**V5P, "clusterprint/pool": "v5p"})
    else:
        lab.jobset("train", affinity=affinity(term("clusterprint/pool", "In", "v5p")))
    lab.run(300)
    assert lab.cloud.created == []
    assert lab.condition("train") is None
    assert lab.events() == []


def test_slices_that_no_pool_has_are_refused() -> None:
    lab = waits({"selector": {**V5P, "clusterprint/pool": "v6e"}})
    assert lab.cloud.created == []
    assert said(lab)[1] == "Refused"
    assert "clusterprint/pool: v6e, and its nodes have no such label" in said(lab)[2]


def test_a_pool_that_pods_name_in_one_of_several_terms_is_no_pin() -> None:
    given = affinity(term(POOL, "In", "v5p"), term("kubernetes.io/os", "In", "linux"))
    assert len(waits({"affinity": given}).cloud.created) == 1


def test_jobs_that_kueue_admits_to_provisioned_nodes_leave_standing_pools_alone() -> None:
    lab = Lab()
    standing = {"machineType": "ct5p-hightpu-4t"}
    placement = {"tpuTopology": "2x2x2"}
    lab.cloud.own(
        {
            "name": "v5p",
            "autoscaling": {"enabled": True},
            "config": standing,
            "placementPolicy": placement,
            "locations": ["us-east5-a"],
        }
    )
    lab.jobset("train", selector={**V5P, **OURS})
    lab.run(200)
    assert len(lab.cloud.created) == 1
    assert said(lab)[:2] == ("True", "Ready")


def test_a_growing_pool_in_another_zone_than_the_pods_select_is_not_waited_for() -> None:
    lab = Lab()
    pool: dict[str, Any] = {
        "name": "v5p",
        "autoscaling": {"enabled": True},
        "config": {"machineType": "ct5p-hightpu-4t"},
        "placementPolicy": {"tpuTopology": "2x2x2"},
        "locations": ["us-east5-b", "us-east5-c"],
    }
    lab.cloud.own(pool)
    lab.jobset("here", selector={**V5P, ZONE: "us-east5-a"})
    lab.jobset("there", selector={**V5P, ZONE: "us-east5-c"})
    lab.round()
    assert [each["name"].partition("-")[0] for each in lab.cloud.created] == ["here"]


# ---- A pool that is there, and a first pod that is not scheduled.


def stays(lab: Lab, seconds: float) -> None:
    """Time goes by, and the scheduler places nothing."""
    for _ in range(int(seconds / 30)):
        lab.round()
        lab.wait(30)
    lab.round()


def test_it_is_never_ready_while_the_first_pod_is_unschedulable_and_does_not_stay() -> None:
    lab = waits({})
    stays(lab, 300)
    status, reason, message = said(lab)
    assert (status, reason) == ("False", "Provisioning")
    assert UNSCHEDULED in message
    assert len(lab.pools()) == 1
    stays(lab, 1200)
    assert lab.pools() == []
    status, reason, message = said(lab)
    assert (status, reason) == ("False", "Unschedulable")
    assert UNSCHEDULED in message
    assert lab.events() == [
        "NodePoolCreationStarted",
        "NodePoolCreationSucceeded",
        "NodePoolUnschedulable",
        "NodePoolDeletionStarted",
    ]


def test_it_is_bought_again_after_an_hour_and_then_after_longer() -> None:
    lab = waits({})
    stays(lab, 3600)
    assert len(lab.cloud.created) == 1
    lab.start()  # a restart forgets nothing of it
    stays(lab, 2400)
    assert len(lab.cloud.created) == 2
    stays(lab, 5400)
    assert len(lab.cloud.created) == 2
    stays(lab, 3600)
    assert len(lab.cloud.created) == 3


def test_pods_that_ask_for_something_else_are_tried_at_once() -> None:
    lab = waits({})
    stays(lab, 1200)
    assert lab.pools() == []
    pod = lab.api.get(PODS, "default", "train-slice-0-0")
    assert pod is not None
    pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "400m"
    lab.api.put(PODS, pod)
    lab.run(120)
    assert len(lab.pools()) == 1
    assert said(lab)[:2] == ("True", "Ready")


def test_a_pool_on_which_other_pods_of_the_job_run_stays() -> None:
    lab = waits({})
    stays(lab, 120)
    pod = lab.api.get(PODS, "default", "train-slice-0-1")
    assert pod is not None
    pod["spec"]["nodeName"] = f"gke-{lab.pools()[0]}-1"
    pod["status"] = {"phase": "Running", "conditions": []}
    lab.api.put(PODS, pod)
    stays(lab, 1800)
    assert len(lab.pools()) == 1
    assert said(lab)[:2] == ("False", "Unschedulable")


def test_some_nodes_are_not_all_nodes() -> None:
    lab = waits({})
    stays(lab, 120)
    lab.api.remove("/nodes", "", f"gke-{lab.pools()[0]}-1")
    stays(lab, 1800)
    assert len(lab.pools()) == 1
    assert said(lab)[1:] == ("Provisioning", said(lab)[2])
    assert "is being provisioned" in said(lab)[2]


@pytest.mark.parametrize("other", ["arm64", "somebody's pool"])
def test_a_pool_on_which_the_pods_can_run_no_more_goes(other: str) -> None:
    lab = waits({})
    stays(lab, 60)
    lab.cloud.own({"name": "v5p", "config": {"machineType": "ct5p-hightpu-4t"}})
    pod = lab.api.get(PODS, "default", "train-slice-0-0")
    assert pod is not None
    pod["spec"]["nodeSelector"] |= {"kubernetes.io/arch": other} if other == "arm64" else {POOL: "v5p"}
    lab.api.put(PODS, pod)
    stays(lab, 300)
    assert lab.pools() == ["v5p"]
    assert said(lab)[1] == ("Refused" if other == "arm64" else "NotNeeded")


def test_a_job_alone_is_told_by_an_event() -> None:
    lab = Lab()
    lab.job("alone", selector={**V5P, "kubernetes.io/arch": "arm64"})
    lab.run(60)
    assert lab.cloud.created == []
    assert lab.events() == ["NodePoolRefused"]
    assert lab.api.get(JOBS, "default", "alone") is not None
