"""Status of a stack: planned changes, the owner of its lock, another run at work."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from stand_ins import Answer, StandIns

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.session import Broken, Session
from clusterprint.lifecycle.stack import Stack, State
from clusterprint.lifecycle.workplace import AtWork
from clusterprint.status.cluster import ClusterStatus, as_data
from clusterprint.status.programs import Programs
from clusterprint.status.states import Moves, StackStatus, Step, read_states

pytestmark = pytest.mark.process

STACK = Stack("first", Path("nowhere"), State("b", "p/first"))
NETWORK = {
    "mode": "managed",
    "type": "google_compute_network",
    "name": "n",
    "instances": [{"attributes": {"name": "n"}}],
}
TAINTED = {
    "mode": "managed",
    "type": "google_x",
    "name": "y",
    "instances": [{"status": "tainted", "index_key": "a", "attributes": {}}],
}
STANDS = {
    "version": 4,
    "serial": 1,
    "resources": [NETWORK],
    "outputs": {
        "connect": {"value": ["ssh"]},
        "password": {"value": "x", "sensitive": True},
        "cross-stack-output-a": {"value": "y"},
    },
}
UNLOCKED = Answer("tflock", err="ERROR: One or more URLs matched no objects.", code=1)


class Standing:
    """Terraform for a stack with a state and a plan."""

    def __init__(self, state: dict[str, Any], plan: Any, *, refused: str = "") -> None:
        self.place = SimpleNamespace(stack=STACK)
        self._state = state
        self._plan = plan
        self._refused = refused

    def init(self) -> None:
        """Nothing to install."""
        if self._refused:
            raise TerraformFailed("init", [self._refused])

    def state(self) -> dict[str, Any]:
        """As it is kept."""
        return self._state

    def plan(self, *options: str, heard: Any) -> bool:  # noqa: ARG002 - as Terraform has it
        """Whether there are changes; never with a lock."""
        assert options == ("-lock=false",)
        if isinstance(self._plan, Exception):
            raise self._plan
        return bool(self._plan)

    def planned(self) -> dict[str, Any]:
        """The plan."""
        found: dict[str, Any] = self._plan
        return found


class Sessions:
    """A session of one stack; `busy` is what keeps others out of its folder."""

    def __init__(self, terraform: Standing, busy: Exception | None = None) -> None:
        self.display = SimpleNamespace(begin=lambda *_: None)
        self._terraform = terraform
        self._busy = busy

    def terraforms(self, _: object) -> "Sessions":
        """As a context."""
        return self

    def __enter__(self) -> dict[str, Standing]:
        if self._busy:
            raise self._busy
        return {"first": self._terraform}

    def __exit__(self, *_: object) -> None: ...

    def each(self, chosen: list[Standing], work: Any) -> tuple[dict[str, Any], list[Broken]]:
        """One after the other."""
        try:
            return {name: work(each) for name, each in zip(["first"], chosen, strict=False)}, []
        except (TerraformFailed, EnvironmentFailure) as failed:
            return {}, [Broken("first", failed)]

    def persisting(self, _: object, step: Any, between: object) -> Any:  # noqa: ARG002 - as a session has it
        """Once."""
        return step()


def look(
    folder: Path,
    *answers: Answer,
    state: dict[str, Any] = STANDS,
    plan: Any = None,
    busy: Exception | None = None,
    drift: bool = True,
) -> StackStatus:
    programs = Programs(StandIns(folder / "bin", gcloud=[*answers, UNLOCKED]).environment)
    session = cast(Session, Sessions(Standing(state, plan), busy))
    (found,) = read_states([STACK], session, programs, drift=drift)
    return found


def change(address: str, *actions: str) -> dict[str, Any]:
    return {"address": address, "change": {"actions": list(actions)}}


HOSTILE_STATES: list[dict[str, Any]] = [
    {"version": 3},
    {"version": 4, "resources": {}},
    {"version": 4, "resources": [{"mode": "managed", "type": 5, "name": "n"}]},
    {"version": 4, "resources": [{**TAINTED, "instances": [{"status": "tainted", "index_key": {}}]}]},
    {"version": 4, "outputs": [1]},
    {"version": 4, "outputs": {"a": "x"}},
    {"version": 4, "outputs": {"a\x1b[2J": {"value": 1}}},
]


@pytest.mark.parametrize("state", HOSTILE_STATES)
@pytest.mark.parametrize("drift", [True, False])
def test_a_state_that_is_none_is_not_known_and_hides_no_other(
    state: dict[str, Any], drift: bool, tmp_path: Path
) -> None:
    cat = Answer("default.tfstate", out=json.dumps(state))
    found = look(tmp_path, cat, state=state, drift=drift)
    assert (found.exists, found.outputs, found.broken) == (False, {}, ())
    assert all("is not a Terraform state" in each for each in found.unknown)
    assert found.unknown


def test_a_stack_without_a_state_does_not_stand(tmp_path: Path) -> None:
    found = look(tmp_path, state={}, plan=AssertionError("nobody plans what does not exist"))
    assert not found.exists
    assert not found.half_built
    assert found.unknown == ()


MISSING = "ERROR: (gcloud.storage.cat) The following URLs matched no objects or files"


@pytest.mark.parametrize(
    ("error", "kept", "unknown"),
    [
        ("googleapi: Error 403: reads@p does not have storage.objects.create access", MISSING, 0),
        (
            "googleapi: Error 403: reads@p does not have storage.objects.list access",
            "ERROR: HTTPError 403",
            2,
        ),
        ("Failed to get existing workspaces: bucket doesn't exist", "ERROR: gs://b not found: 404.", 1),
    ],
)
def test_an_account_that_may_only_read_knows_what_nobody_has_made(
    tmp_path: Path, error: str, kept: str, unknown: int
) -> None:
    """Terraform begins with an empty state, and may not."""
    gcloud = StandIns(tmp_path / "bin", gcloud=[UNLOCKED, Answer("default.tfstate", err=kept, code=1)])
    session = cast(Session, Sessions(Standing({}, None, refused=error)))
    (found,) = read_states([STACK], session, Programs(gcloud.environment), drift=True)
    assert (found.exists, found.differs, len(found.unknown)) == (False, unknown == 0, unknown)


def test_what_stands_has_its_outputs_but_for_secrets_and_what_stacks_tell_each_other(tmp_path: Path) -> None:
    found = look(tmp_path)
    assert found.as_said
    assert found.outputs == {"connect": ["ssh"]}


def test_drift_is_what_somebody_changed_and_terraform_would_change_back(tmp_path: Path) -> None:
    plan = {
        "resource_drift": [change("a.changed", "update"), change("a.moves_by_itself", "update")],
        "resource_changes": [
            change("a.changed", "update"),
            change("a.new", "create"),
            change("a.moves_by_itself", "no-op"),
        ],
    }
    found = look(tmp_path, plan=plan)
    assert found.moves == Moves(
        drifted=(Step("a.changed", ("update",)),), pending=(Step("a.new", ("create",)),)
    )
    assert found.half_built
    assert not found.as_said


def test_what_broke_while_it_was_made_is_half_built(tmp_path: Path) -> None:
    found = look(tmp_path, state={**STANDS, "resources": [NETWORK, TAINTED]})
    assert found.broken == ('google_x.y["a"]',)
    assert found.half_built


def test_who_has_locked_the_state_is_said(tmp_path: Path) -> None:
    lock = {"ID": "1", "Who": "me@host", "Operation": "OperationTypeApply", "Created": "2026-11-20"}
    found = look(tmp_path, Answer("cat gs://b/p/first/default.tflock", lock))
    assert found.lock is not None
    assert (found.lock.who, found.lock.operation) == ("me@host", "OperationTypeApply")


def test_where_another_run_is_at_work_the_state_is_read_from_the_bucket(tmp_path: Path) -> None:
    found = look(
        tmp_path,
        Answer("cat gs://b/p/first/default.tfstate", STANDS),
        busy=AtWork("another run is active on stack first: process 7"),
    )
    assert found.at_work.endswith("process 7")
    assert found.exists
    assert found.moves is None


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("Error: Kubernetes cluster unreachable", "drift: stack of a destroyed cluster: "),
        ("Error: something new\nmore", "drift: unknown: Error: something new"),
    ],
)
def test_where_no_plan_can_be_made_that_is_said_and_the_rest_is_known(
    tmp_path: Path, error: str, said: str
) -> None:
    found = look(tmp_path, plan=TerraformFailed("plan", [error]))
    assert found.exists
    assert found.moves is None
    assert found.unknown[0].startswith(said)


def test_nobody_plans_where_nobody_asked_for_drift(tmp_path: Path) -> None:
    found = look(tmp_path, plan=AssertionError("nobody asked"), drift=False)
    assert found.moves is None


def test_a_lock_that_cannot_be_asked_for_is_not_known(tmp_path: Path) -> None:
    found = look(tmp_path, Answer("tflock", err="ERROR: 403 forbidden", code=1))
    assert found.lock is None
    assert found.unknown == ("lock: gcloud: ERROR: 403 forbidden",)
    assert json.dumps(found.unknown)


def test_programs_are_told_what_up_would_do(tmp_path: Path) -> None:
    """Nothing is known of moves where nobody looked, which is not the same as none."""
    (tmp_path / "unseen").mkdir()
    seen = look(tmp_path, plan={"resource_changes": [change("google_storage_bucket.a", "create")]})
    unseen = look(tmp_path / "unseen", drift=False)
    cluster = ClusterStatus("a.yaml", "a", "vm", (seen, unseen), machines=None, cost=None)
    found, other = as_data(cluster)["stacks"]
    assert found["pending"] == [{"address": "google_storage_bucket.a", "actions": ["create"]}]
    assert other["pending"] is None
