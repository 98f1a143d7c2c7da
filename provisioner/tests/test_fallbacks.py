"""Where there are no machines: what is tried next, what is told, and how long it waits."""

from itertools import pairwise

import pytest
from container_api import STOCK_OUT
from lab import Lab


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


@pytest.mark.parametrize("set_back", [0.0, 3600.0, 86400.0])
def test_a_clock_that_is_set_back_makes_no_pause_longer(set_back: float) -> None:
    """Nor does a restart after that: what is left of the pause is never more than the pause."""
    lab = Lab()
    lab.cloud.fails = lambda _pool: STOCK_OUT
    lab.jobset("train")
    lab.run(200)
    tried = len(lab.cloud.created)
    lab.wall -= set_back
    lab.start()
    lab.cloud.fails = lambda _pool: ""
    lab.run(200)
    assert len(lab.cloud.created) == tried + 1


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
