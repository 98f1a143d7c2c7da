"""Jobs that get no pool, and are told why."""

from typing import Any

import pytest
from lab import Lab
from users import PODS, V5P


def test_a_pool_that_others_have_taken_is_told() -> None:
    """A job without a selector of its own may find its nodes taken by another job of the same shape."""
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


@pytest.mark.parametrize(("chips", "made"), [("7", 0), ("8", 1), ("15", 1), ("16", 2), ("23", 2)], ids=str)
def test_the_chips_of_a_new_pool_count_to_the_limit_too(chips: str, made: int) -> None:
    """A pool of each job has 8."""
    lab = Lab({"MAX_CHIPS_PER_NAMESPACE": chips})
    for name in ("a", "b", "c"):
        lab.jobset(name, selector={**V5P, "job-key": name})
    lab.run(300)
    assert len(lab.pools()) == made
    said = lab.condition("c")
    assert said is not None
    assert said["reason"] == "Limited"
    assert f"default has {8 * made} chips, and 8 more would exceed the limit of {chips}" in said["message"]


def test_chips_of_other_namespaces_count_to_no_limit() -> None:
    lab = Lab({"MAX_CHIPS_PER_NAMESPACE": "8"})
    for namespace in ("a", "b"):
        lab.jobset("train", namespace, selector={**V5P, "job-key": namespace})
    lab.run(300)
    assert len(lab.pools()) == 2


def grows(*, spot: bool) -> dict[str, Any]:
    """A pool of somebody else that has no nodes yet."""
    return {
        "name": "static",
        "autoscaling": {"enabled": True},
        "config": {"machineType": "ct5p-hightpu-4t", "spot": spot},
        "placementPolicy": {"tpuTopology": "2x2x2"},
    }


@pytest.mark.parametrize("spot", [True, False])
@pytest.mark.parametrize("wanted", ["spot", "on-demand"])
def test_only_a_pool_of_the_capacity_that_is_wanted_is_left_to_grow(*, wanted: str, spot: bool) -> None:
    lab = Lab()
    lab.cloud.own(grows(spot=spot))
    lab.jobset("train", annotations={"clusterprint/capacity": wanted})
    lab.run(60)
    assert len(lab.cloud.created) == (spot != (wanted == "spot"))


def test_a_pool_that_grows_by_itself_is_left_to_grow() -> None:
    lab = Lab()
    lab.cloud.own(grows(spot=False))
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
            "unknown TPU 'tpu-v9'",
        ),
        ({"chips": 3}, "no machine of tpu-v5p-slice has 3 chips: each pod has to request 1, 2, 4"),
        ({"annotations": {"clusterprint/capacity": "cheap"}}, "use on-demand, spot, flex-start"),
        ({"annotations": {"clusterprint/capacity": "flex-start,spot"}}, "put it last"),
        ({"annotations": {"clusterprint/zones": "here"}}, "'here', which is not a zone"),
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
