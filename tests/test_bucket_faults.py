"""The bucket of the state refuses, fails or gives no answer while Terraform locks, saves or unlocks.

Nothing is orphaned and nothing made twice: what could not be saved is saved before anything else, a lock
that one's own step has left is released, and `down` leaves an empty cloud.
"""

import pytest
from lives import VM, Life

from clusterprint.exit_codes import Code
from clusterprint_simcloud.gcs.kept import KeptStore
from clusterprint_simcloud.gcs.store import Fault

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.terraform]

BUCKET = "my-terraform-state"
STATE = "clusterprint/first/first/default"
# In an `up` that makes a cluster, the backend's initialization, the plan and the apply lock and unlock, and
# the first and the last of them save a state.
UNLOCK = {"init": 1, "apply": 3}
LOCKS, SAVES, UNLOCKS = rf"^/upload/.*{STATE}.tflock", rf"^/upload/.*{STATE}.tfstate", rf"{STATE}.tflock"


def refused(path: str, *, nth: int, times: int = 1) -> Fault:
    """The faults that the client of the bucket does not retry."""
    return Fault(quoted(path), status=403, reason="forbidden", nth=nth, times=times)


def quoted(path: str) -> str:
    """The name of an object as requests have it: in a path, or in a query."""
    return path.replace(STATE, STATE.replace("/", "(?:/|%2F)")).replace(".tf", r"\.tf")


def lock(life: Life) -> str:
    """The lock that is in the bucket."""
    store = KeptStore(life.folder / "storage")
    with store.session(changing=False):
        found = store.live(BUCKET, f"{STATE}.tflock")
    return found.metadata["generation"] if found else ""


def ends_well(life: Life) -> None:
    """As if nothing had been: nothing to do, nothing twice, and nothing left."""
    life.bucket_faults()
    life.run("up", VM, "--yes", "--detailed-exitcode", expect=Code.NOTHING_TO_DO)
    assert "first-0" in {one.state.get("name") for one in life.made()}
    assert len(life.made()) == len({one.key for one in life.made()})
    goes(life)


def goes(life: Life) -> None:
    assert "the state is empty" in life.run("down", VM, "--yes")
    assert (life.made(), lock(life)) == ([], "")
    assert not list(life.folder.glob("stacks/*/errored.tfstate"))


@pytest.mark.parametrize("step", ["init", "apply"])
def test_a_lock_of_its_own_that_a_step_has_left_is_released(life: Life, step: str) -> None:
    life.bucket_faults(
        Fault(quoted(UNLOCKS), method="DELETE", status=403, reason="forbidden", nth=UNLOCK[step])
    )
    said = life.run("up", VM, "--yes")
    assert f"[first] {step}: lock not released; that may be temporary: next try in 5 s" in said
    assert "which is our own" in said
    assert lock(life) == ""
    ends_well(life)


def test_a_lock_that_was_released_without_an_answer_is_none(life: Life) -> None:
    life.bucket_faults(Fault(quoted(UNLOCKS), method="DELETE", drop=True, after=True, nth=UNLOCK["apply"]))
    assert "[first] apply: lock not released" in life.run("up", VM, "--yes")
    ends_well(life)


def test_a_lock_that_stays_is_told_with_what_releases_it(life: Life) -> None:
    life.bucket_faults(
        Fault(quoted(UNLOCKS), method="DELETE", status=403, reason="forbidden", nth=UNLOCK["apply"], times=99)
    )
    said = life.run("up", VM, "--yes", expect=Code.FAILED)
    assert "[first] apply failed: lock not released" in said
    assert f"  Lock {lock(life)}: OperationTypeApply of " in said
    life.bucket_faults()
    assert "plan failed: stale lock" in life.run("up", VM, "--yes", expect=Code.FAILED)
    assert "nothing to do" in life.run("up", VM, "--yes", "--release-lock", lock(life))
    ends_well(life)


def test_a_lock_that_was_taken_without_an_answer_is_told_and_released_on_demand(life: Life) -> None:
    life.bucket_faults(Fault(quoted(LOCKS), drop=True, after=True, nth=UNLOCK["apply"]))
    assert "apply failed: stale lock" in life.run("up", VM, "--yes", expect=Code.FAILED)
    life.bucket_faults()
    life.run("up", VM, "--yes", "--release-lock", lock(life))
    ends_well(life)


def test_a_state_that_is_refused_once_is_saved_before_the_next_try(life: Life) -> None:
    """A plan against the state before would make everything a second time."""
    life.bucket_faults(Fault(quoted(SAVES), status=412, reason="conditionNotMet", nth=2))
    said = life.run("up", VM, "--yes")
    assert "[first] apply: backend unreachable; that may be temporary: next try in 5 s" in said
    assert said.count("created google_compute_network.primary") == 1
    ends_well(life)


@pytest.mark.parametrize("following", ["up", "down"])
def test_a_state_that_cannot_be_saved_is_saved_by_the_next_command(life: Life, following: str) -> None:
    life.bucket_faults(refused(SAVES, nth=2, times=99))
    said = life.run("up", VM, "--yes", expect=Code.FAILED)
    assert "A state that could not be saved is kept on this machine, and saved by the next run." in said
    assert list(life.folder.glob("stacks/*/errored.tfstate"))
    life.bucket_faults()
    ends_well(life) if following == "up" else goes(life)


def test_what_was_destroyed_and_not_saved_is_known_to_be_gone(life: Life) -> None:
    life.run("up", VM, "--yes")
    life.bucket_faults(refused(SAVES, nth=1, times=99))
    life.run("down", VM, "--yes", expect=Code.FAILED)
    assert life.made() == []
    life.bucket_faults()
    goes(life)
