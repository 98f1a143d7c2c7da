import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from clusterprint.exit_codes import Code
from clusterprint.lifecycle.down import Consent, down
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.foreign import Foreign, Network
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.stack import Stack, State

INSIDE = {"mode": "managed", "type": "helm_release", "name": "jobset", "instances": [{"attributes": {}}]}
WORKLOADS = {"terraform": {"required_providers": {"helm": {}}}, "provider": {"helm": [{}]}}


class Standing:
    """Terraform for a stack whose state is a list."""

    def __init__(self, stack: Stack, resources: list[dict[str, Any]]) -> None:
        self.place = SimpleNamespace(stack=stack, folder=stack.folder)
        self.resources = resources

    def init(self) -> None:
        """Nothing to install."""

    def state(self) -> dict[str, Any]:
        """The remaining resources."""
        return {"serial": 1, "resources": self.resources}

    def forget(self, addresses: list[str]) -> None:
        """Take these out."""
        self.resources = [
            each for each in self.resources if f"{each['type']}.{each['name']}" not in addresses
        ]


class Sessions:
    """A session in which nothing runs at the same time, and nothing is tried again."""

    def __init__(self, folder: Path) -> None:
        (folder / "cdk.tf.json").write_text(json.dumps(WORKLOADS))
        self.stacks = [
            Stack("a-cluster", folder, State("b", "a-cluster")),
            Stack("a-workloads", folder, State("b", "a-workloads"), ("a-cluster",)),
        ]
        self.all = {
            "a-cluster": Standing(self.stacks[0], []),
            "a-workloads": Standing(self.stacks[1], [INSIDE]),
        }
        self.said: list[str] = []
        self.display = SimpleNamespace(line=self.said.append, begin=lambda *_: None)
        self.world = SimpleNamespace(environment={})

    def terraforms(self, _: object) -> "Sessions":
        """As a context."""
        return self

    def __enter__(self) -> dict[str, Standing]:
        return self.all

    def __exit__(self, *_: object) -> None: ...

    def each(self, chosen: list[Standing], work: Any) -> tuple[dict[str, Any], list[Any]]:
        """One after the other."""
        return {each.place.stack.name: work(each) for each in chosen}, []

    def persisting(self, _: object, step: Any, between: object) -> Any:  # noqa: ARG002 - as a session has it
        """Once."""
        return step()


@pytest.mark.parametrize(
    ("plan_only", "agrees", "code", "left"),
    [
        (True, True, Code.CHANGES, 1),
        (False, False, Code.REFUSED, 1),
        (False, True, Code.DONE, 0),
    ],
)
def test_what_went_with_its_cluster_leaves_the_state_once_that_is_agreed_to(
    plan_only: bool, agrees: bool, code: Code, left: int, tmp_path: Path
) -> None:
    made = Sessions(tmp_path)
    consent = Consent(lambda *_: None, lambda: agrees, lambda _: False)
    ended = down(made.stacks, cast("Session", made), consent, include_data=False, plan_only=plan_only)
    assert ended.code is code
    assert len(made.all["a-workloads"].resources) == left
    assert "its cluster is gone" in made.said[0]
    assert ("provider" in json.loads((tmp_path / "cdk.tf.json").read_text())) is bool(left)


class Guarded(Standing):
    """Terraform for a stack with a bucket that its cloud will not delete."""

    def __init__(self, stack: Stack) -> None:
        attributes = {"name": "data", "force_destroy": False}
        instances = [{"attributes": attributes}]
        super().__init__(
            stack,
            [{"mode": "managed", "type": "google_storage_bucket", "name": "data", "instances": instances}],
        )
        self.seen: list[bool] = []

    def replace_state(self, document: dict[str, Any]) -> None:
        """Another version of the state."""
        self.resources = document["resources"]
        self.seen.append(self.resources[0]["instances"][0]["attributes"]["force_destroy"])

    def plan(self, *_: str, **__: object) -> bool:
        """There is something to destroy."""
        return True

    def planned(self) -> dict[str, Any]:
        """The bucket goes."""
        change = {"actions": ["delete"], "before": {"name": "data"}, "after": None}
        kind = {"mode": "managed", "type": "google_storage_bucket", "name": "data"}
        return {
            "format_version": "1.2",
            "resource_changes": [{"address": "google_storage_bucket.data", **kind, "change": change}],
        }

    def apply(self, **_: object) -> None:
        """The cloud says no."""
        raise TerraformFailed("apply", ["Error 409: not now"])


def test_a_bucket_that_could_not_be_destroyed_is_protected_again(tmp_path: Path) -> None:
    made = Sessions(tmp_path)
    made.stacks = [Stack("a", tmp_path, State("b", "a"))]
    guarded = Guarded(made.stacks[0])
    made.all = {"a": guarded}
    consent = Consent(lambda *_: None, lambda: True, lambda _: False)
    with pytest.raises(TerraformFailed):  # which a real session keeps
        down(made.stacks, cast("Session", made), consent, include_data=True, plan_only=False)
    assert guarded.seen == [True, False]
    assert "[a] protections are on again for what is left" in made.said


class Held(Standing):
    """Terraform for a stack with a network, in which somebody has put something."""

    def __init__(self, stack: Stack) -> None:
        attributes = {"name": "net", "project": "my-project"}
        kind = {"mode": "managed", "type": "google_compute_network", "name": "net"}
        super().__init__(stack, [{**kind, "instances": [{"attributes": attributes}]}])

    def plan(self, *_: str, **__: object) -> bool:
        """There is something to destroy."""
        return True

    def planned(self) -> dict[str, Any]:
        """The network goes."""
        change = {"actions": ["delete"], "before": {"name": "net"}, "after": None}
        kind = {"mode": "managed", "type": "google_compute_network", "name": "net"}
        changes = [{"address": "google_compute_network.net", **kind, "change": change}]
        return {"format_version": "1.2", "resource_changes": changes}


@pytest.mark.parametrize("plan_only", [True, False])
def test_what_others_made_is_told_before_anybody_is_asked(
    plan_only: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, told = Sessions(tmp_path), list[object]()
    made.stacks = made.stacks[:1]
    made.all = {"a-cluster": Held(made.stacks[0])}
    found = Foreign("network net", "load balancer", "lb", ("compute", "delete", "lb"))

    def find(networks: object, known: object, _: object) -> list[Foreign]:
        assert (networks, known) == ([Network("my-project", "net")], {"google_compute_network": {"net"}})
        return [found]

    monkeypatch.setattr("clusterprint.lifecycle.down.find_foreign", find)

    def ask() -> bool:
        told.append("asked")
        return False

    consent = Consent(lambda *_: None, ask, lambda _: False, lambda *each: told.append(each), told.append)
    down(made.stacks, cast("Session", made), consent, include_data=False, plan_only=plan_only)
    assert told == [("a-cluster", made.all["a-cluster"].state()), [found], *([] if plan_only else ["asked"])]


class Gone(Standing):
    """Terraform for a stack whose cloud has nothing left of what the state knows."""

    def plan(self, *_: str, **__: object) -> bool:
        """Nothing to destroy."""
        return False

    def planned(self) -> dict[str, Any]:
        """A plan without changes."""
        return {}

    def apply(self, **_: object) -> None:
        """The state is as the cloud is."""
        self.resources = []


@pytest.mark.parametrize(
    ("plan_only", "agrees", "code", "left"),
    [(True, True, Code.CHANGES, 1), (False, False, Code.REFUSED, 1), (False, True, Code.DONE, 0)],
)
def test_what_is_gone_already_leaves_the_state(
    plan_only: bool, agrees: bool, code: Code, left: int, tmp_path: Path
) -> None:
    made = Sessions(tmp_path)
    network = {"mode": "managed", "type": "google_compute_network", "name": "net", "instances": [{}]}
    made.all = {"a-cluster": Gone(made.stacks[0], [network])}
    consent = Consent(lambda *_: None, lambda: agrees, lambda _: False)
    ended = down(made.stacks[:1], cast("Session", made), consent, include_data=False, plan_only=plan_only)
    assert ended.code is code
    assert len(made.all["a-cluster"].resources) == left
    (said,) = made.said
    assert "only has to leave the state: google_compute_network.net" in said
