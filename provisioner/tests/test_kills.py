"""The process is killed around each call that leaves it: nothing is orphaned, nothing is doubled."""

from collections.abc import Callable

import pytest
from container_api import STOCK_OUT
from lab import Calls, Lab
from users import NODES, V5P

ZONES = {"GCP_ZONE": "us-east5-a,us-east5-b"}


def life(lab: Lab) -> None:
    """A JobSet that finds no machines in the first zone, runs in the second, ends and is tidied up after."""
    lab.cloud.fails = lambda pool: STOCK_OUT if pool["locations"] == ["us-east5-a"] else ""
    lab.jobset("train", selector={**V5P, "job-key": "train"})
    for _ in range(16):
        lab.schedule()
        if not lab.survive():
            lab.wait(30)
        # At no time are there two pools for the one slice.
        assert len(lab.cloud.pools) <= 1
    assert [pod["status"] for pod in lab.cloud.pools.values()] == ["RUNNING"]
    lab.end("train")
    for _ in range(8):
        if not lab.survive():
            lab.wait(30)


@pytest.mark.slow
@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
def test_it_is_killed_around_each_call(before: bool) -> None:
    whole = Lab(ZONES)
    life(whole)
    for number in range(1, whole.calls.count + 1):
        lab = Lab(ZONES)
        lab.calls = Calls(kill_at=number, before=before)
        life(lab)
        assert lab.calls.killed
        assert lab.pools() == []
        assert lab.api.all(NODES) == []
        made = [pool["locations"] for pool in lab.cloud.created]
        assert made == [["us-east5-a"], ["us-east5-b"]], f"call {number}"
        assert len(lab.cloud.deleted) == 2
        events = lab.events()
        assert events.count("NodePoolStockOut") <= 1
        assert events.count("NodePoolCreationStarted") <= 2
        assert len(events) <= 6


@pytest.mark.parametrize(
    "jump", [-86400.0, 86400.0, -3600.0 * 24 * 365 * 30], ids=["back", "ahead", "to the last century"]
)
def test_the_clock_is_set(jump: float) -> None:
    """Pauses and delays go by a clock that nobody sets."""
    lab = Lab({"NODEPOOL_DELETION_DELAY": "2m"})
    lab.cloud.fails = lambda _pool: STOCK_OUT if len(lab.cloud.created) < 2 else ""
    lab.jobset("train")
    lab.run(70)
    lab.wall += jump
    lab.run(600)
    assert [pool["status"] for pool in lab.cloud.pools.values()] == ["RUNNING"]
    lab.end("train")
    lab.run(60)
    lab.wall -= jump
    lab.run(30)
    assert lab.cloud.deleted[1:] == []
    lab.run(200)
    assert lab.pools() == []


def test_a_pause_outlives_a_restart_even_when_the_clock_is_set() -> None:
    lab = Lab()
    lab.cloud.fails = lambda _pool: STOCK_OUT
    lab.jobset("train")
    for _ in range(200):
        lab.round()
        lab.wait(5)
    made = len(lab.cloud.created)
    # Restarted with each round, as by a crash loop: it is not tried more often than before.
    for _ in range(20):
        lab.start()
        lab.round()
        lab.wait(5)
    assert len(lab.cloud.created) <= made + 1
    lab.wall -= 10 * 365 * 86400.0
    lab.start()
    lab.run(2000)
    assert len(lab.cloud.created) > made, "no pause is longer than it was meant to be"


def refused(status: int) -> Callable[[str, str], tuple[int, str]]:
    return lambda _method, _path: (status, "not now")


@pytest.mark.parametrize("status", [429, 500, 503])
def test_the_container_api_is_away_for_a_while(status: int) -> None:
    from clusterprint_provisioner.container import CloudError

    lab = Lab()
    lab.jobset("train")
    lab.cloud.refuses = refused(status)
    for _ in range(3):
        with pytest.raises(CloudError):
            lab.round()
    lab.cloud.refuses = lambda _method, _path: None
    lab.run(120)
    assert len(lab.cloud.created) == 1
    assert not [each for each in lab.events() if "Failed" in each or "Unavailable" in each]


@pytest.mark.parametrize("kind", ["/configmaps", "/events"])
def test_what_cannot_be_written_down_holds_nothing_up(kind: str) -> None:
    """A ConfigMap that is full, a namespace that goes."""
    lab = Lab(ZONES)
    lab.jobset("train")
    lab.round()
    lab.api.full.add(kind)
    lab.cloud.fails = lambda pool: STOCK_OUT if pool["locations"] == ["us-east5-a"] else ""
    lab.run(300)
    assert [pool["locations"] for pool in lab.cloud.created] == [["us-east5-a"], ["us-east5-b"]]
    lab.end("train")
    lab.run(150)
    assert lab.pools() == []


@pytest.mark.slow
def test_five_hundred_jobsets_at_once() -> None:
    """No more than asked for at a time, each exactly one pool, and few calls for each."""
    lab = Lab({"CONCURRENCY": "50"})
    for number in range(500):
        lab.jobset(f"train-{number:03}", selector={**V5P, "job-key": str(number)}, pods=1)
    lab.cloud.calls.clear()
    lab.api.calls.clear()
    most = 0
    rounds = 13
    for _ in range(rounds):
        lab.round()
        most = max(most, sum(each["status"] == "PROVISIONING" for each in lab.cloud.pools.values()))
        lab.wait(61)
    assert most == 50
    assert len(lab.pools()) == len(lab.cloud.created) == 500
    assert len({pool["config"]["labels"]["job-key"] for pool in lab.cloud.created}) == 500
    writes = [each for each in lab.api.calls if each[0] in ("POST", "PATCH", "PUT")]
    # Two events and at most three conditions for each: it waits, is on its way, is there.
    assert len(writes) <= 500 * 5 + 1
    assert len([each for each in lab.cloud.calls if each[0] == "GET"]) == 2 * rounds
