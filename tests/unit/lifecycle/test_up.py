"""Plans that `up` applies: the confirmed one, and after a failure its remainder."""

import io
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from clusterprint.lifecycle import plan_review
from clusterprint.lifecycle import session as sessions
from clusterprint.lifecycle.display import Display
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.stack import Stack, State
from clusterprint.lifecycle.terraform import Terraform
from clusterprint.lifecycle.up import apply_consented
from clusterprint.lifecycle.world import World

BUSY = TerraformFailed("apply", ["Error 503: backendError"])
Steps = Mapping[str, tuple[str, ...]]

CONSENTED: Steps = {
    "google_compute_instance.made": ("create",),
    "google_compute_network.changed": ("update",),
    "google_compute_disk.replaced": ("delete", "create"),
    "google_compute_address.lost": ("delete",),
}


class FailsOnce:
    """Terraform whose first apply fails; the plans of what is left are given."""

    def __init__(self, *left: Steps) -> None:
        self.place = SimpleNamespace(stack=Stack("a", Path(), State("b", "a")))
        self.left = list(left)
        self.applied: list[Steps] = []
        self._planned: Steps = CONSENTED

    def apply(self, **_: object) -> None:
        """The first time, the cloud is busy."""
        self.applied.append(self._planned)
        if len(self.applied) == 1:
            raise BUSY

    def plan(self, **_: object) -> bool:
        """The next of the given plans."""
        self._planned = self.left.pop(0)
        return bool(self._planned)

    def planned(self) -> dict[str, Any]:
        """As data."""
        steps = self._planned.items()
        return {
            "resource_changes": [{"address": name, "change": {"actions": [*does]}} for name, does in steps]
        }

    def save_errored(self) -> None:
        """There is no state that could not be saved."""


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The messages, without waiting for the next try."""
    monkeypatch.setattr(sessions, "WAITS", (0.0, 0.0))
    return []


def apply(terraform: FailsOnce, said: list[str], plan: Any = None) -> None:
    session = Session(World("terraform", {}, Path()), Display(io.StringIO(), said.append), None)
    apply_consented(session, cast("Terraform", terraform), dict(CONSENTED), plan)


@pytest.mark.parametrize(
    "left",
    [
        pytest.param({"google_compute_instance.made": ("create",)}, id="the same step"),
        pytest.param({"google_compute_instance.made": ("delete", "create")}, id="a failed try is cleared up"),
        pytest.param({"google_compute_disk.replaced": ("create",)}, id="half a replacement"),
        pytest.param({"google_compute_disk.replaced": ("create", "delete")}, id="in the other order"),
        pytest.param({"google_compute_address.lost": ("delete",)}, id="what was to go"),
        pytest.param(CONSENTED, id="all of it"),
    ],
)
def test_a_retry_applies_what_is_left_of_what_was_confirmed(left: Steps, said: list[str]) -> None:
    terraform = FailsOnce(left)
    apply(terraform, said)
    assert terraform.applied == [CONSENTED, left]


def test_a_retry_that_finds_nothing_left_applies_nothing(said: list[str]) -> None:
    terraform = FailsOnce({})
    apply(terraform, said)
    assert terraform.applied == [CONSENTED]


@pytest.mark.parametrize(
    "left",
    [
        pytest.param({"google_compute_network.changed": ("delete",)}, id="a delete instead of an update"),
        pytest.param({"google_compute_network.changed": ("delete", "create")}, id="a replacement of it"),
        pytest.param({"google_compute_network.changed": ("create", "delete")}, id="the new one first"),
        pytest.param({"google_compute_network.changed": ("create",)}, id="a create of it"),
        pytest.param({"google_compute_instance.made": ("update",)}, id="an update of what was to be made"),
        pytest.param({"google_compute_address.lost": ("update",)}, id="an update of what was to go"),
        pytest.param({"google_compute_address.lost": ("delete", "create")}, id="made anew, and not gone"),
        pytest.param({"google_compute_disk.other": ("delete",)}, id="a delete of another resource"),
        pytest.param({"google_compute_disk.other": ("create",)}, id="another resource"),
        pytest.param({'google_compute_disk.replaced["b"]': ("delete",)}, id="another instance of it"),
        pytest.param({"module.b.google_compute_address.lost": ("delete",)}, id="the same name elsewhere"),
        pytest.param({**CONSENTED, "google_compute_disk.other": ("update",)}, id="one step more than all"),
    ],
)
def test_a_retry_never_applies_what_nobody_confirmed(left: Steps, said: list[str]) -> None:
    terraform = FailsOnce(left)
    with pytest.raises(TerraformFailed) as failed:
        apply(terraform, said)
    assert failed.value is BUSY
    assert terraform.applied == [CONSENTED]
    assert said[-1] == "[a] what is left differs from the plan that was agreed to: stopping"


def test_a_retry_of_a_destroy_plans_a_destroy(said: list[str]) -> None:
    terraform = FailsOnce()

    def plan() -> bool:
        terraform.left = [{"google_compute_address.lost": ("delete",)}]
        return terraform.plan()

    apply(terraform, said, plan)
    assert terraform.applied == [CONSENTED, {"google_compute_address.lost": ("delete",)}]


@pytest.mark.parametrize(
    ("modes", "stands"), [((), False), (("data",), False), (("managed",), True), (("data", "managed"), True)]
)
def test_what_is_only_read_is_no_part_of_a_stack_that_stands(modes: tuple[str, ...], stands: bool) -> None:
    resources = [{"mode": each} for each in modes]
    document = {"prior_state": {"values": {"root_module": {"resources": resources}}}}
    assert plan_review.stands(document) is stands
