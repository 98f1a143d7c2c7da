import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.failures import TerraformFailed, explain
from clusterprint.lifecycle.processes import Processes
from clusterprint.lifecycle.stack import Stack, State
from clusterprint.lifecycle.terraform import Terraform
from clusterprint.lifecycle.workplace import ERRORED, workplace
from clusterprint.lifecycle.world import World

PULLED = {"version": 4, "serial": 1}
FAILED = {"severity": "error", "summary": "No", "detail": "Because.", "address": "a.b"}
Make = Callable[[str], Terraform]


@pytest.fixture
def terraform(tmp_path: Path) -> Iterator[Make]:
    """A stand-in for Terraform that writes down how it was called, and then does what `body` says."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "cdk.tf.json").write_text(json.dumps({"terraform": {}}))
    stack = Stack("first", out, State("bucket", "first"))
    with workplace(stack, tmp_path / "home", keep_checksums=True, waiting=lambda _: None) as place:

        def make(body: str) -> Terraform:
            program = tmp_path / "terraform"
            program.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path / "calls"}\n{body}\n')
            program.chmod(0o755)
            world = World(str(program), {"PATH": "/usr/bin:/bin"}, tmp_path / "home")
            return Terraform(place, world, Processes(), tmp_path / "log")

        yield make


def calls(tmp_path: Path) -> list[str]:
    return (tmp_path / "calls").read_text().splitlines()


def test_a_state_that_could_not_be_saved_is_saved_by_the_next_run(terraform: Make, tmp_path: Path) -> None:
    made = terraform("")
    made.place.errored.write_text(json.dumps(PULLED))
    made.init()
    assert [each.split()[0] for each in calls(tmp_path)] == ["init", "state"]
    assert calls(tmp_path)[1] == f"state push -no-color {ERRORED}"
    assert not made.place.errored.exists()


def test_it_is_kept_when_it_is_refused(terraform: Make) -> None:
    made = terraform('[ "$1" != state ] || { echo "over newer state with serial 5"; exit 1; }')
    made.place.errored.write_text(json.dumps(PULLED))
    with pytest.raises(TerraformFailed) as failed:
        made.init()
    (said,) = failed.value.errors
    assert said == f"over newer state with serial 5\nThe state of the earlier run is in {made.place.errored}."
    assert made.place.errored.exists()
    assert explain(said).name == "newer state"
    assert "the file named above" in explain(said).help


@pytest.mark.parametrize(
    "text",
    ["", "{", "{}", "[]", '{"version": 4, "serial": 1, "resources": [{"mode": "ma', "\0" * 100, "9" * 9999],
)
def test_a_file_that_is_no_state_is_named_and_never_pushed(
    terraform: Make, tmp_path: Path, text: str
) -> None:
    made = terraform("")
    made.place.errored.write_text(text)
    with pytest.raises(EnvironmentFailure, match="Move the file away") as failed:
        made.init()
    assert str(failed.value).startswith(f"{made.place.errored} is not a Terraform state")
    assert [each.split()[0] for each in calls(tmp_path)] == ["init"]
    assert made.place.errored.exists()


def test_a_state_that_terraform_could_write_nowhere_is_kept_and_never_shown(
    terraform: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk it prints the whole state, with the secrets in it."""
    state = {**PULLED, "outputs": {"password": {"value": "xyzzy"}}}
    dump = json.dumps({"@level": "info", "@message": "Emergency state dump", "state": state})
    made = terraform(f"echo '{dump}'; exit 1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for is_full, told in ((False, "the next run saves it"), (True, "with space for it, move it to")):
        if is_full:
            made.place.errored.unlink()
            made.place.errored.mkdir()  # nothing can be written there
        with pytest.raises(TerraformFailed) as failed:
            made.apply(heard=lambda _: None)
        (said,) = failed.value.errors
        assert told in said
        assert "xyzzy" not in said
        assert explain(said).name == "disk full"
        kept = next(tmp_path.glob("clusterprint-*/*")) if is_full else made.place.errored
        assert json.loads(kept.read_text()) == state
        assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("end", "underway"), [("exit 1", set()), ("kill -KILL $$", {"a.b"})])
def test_what_was_announced_is_underway_only_if_terraform_did_not_end_by_itself(
    terraform: Make, end: str, underway: set[str]
) -> None:
    """Terraform prints `Creating...` before its own hook halts what a signal has stopped."""
    begun = {"type": "apply_start", "hook": {"resource": {"addr": "a.b"}, "action": "create"}}
    made = terraform(f"echo '{json.dumps(begun)}'; {end}")
    with pytest.raises(TerraformFailed):
        made.apply(heard=lambda _: None)
    assert made.underway == underway


@pytest.mark.parametrize(
    ("installed", "others"),
    [
        ("registry.terraform.io/hashicorp/google", ""),
        ("registry.opentofu.org/hashicorp/azurerm", ""),
        ("evil.example/hashicorp/google", "evil.example/hashicorp/google"),
        ("registry.terraform.io/evil/google", "registry.terraform.io/evil/google"),
        ("registry.terraform.io/hashicorp/google/../x", "registry.terraform.io/hashicorp/google/../x"),
    ],
)
def test_a_provider_that_only_the_state_asks_for_is_not_started(
    terraform: Make, installed: str, others: str
) -> None:
    made = terraform("")
    (made.place.folder / ".terraform.lock.hcl").write_text(
        f'# by init\nprovider "registry.terraform.io/hashicorp/helm" {{\n}}\nprovider "{installed}" {{\n}}\n'
    )
    if not others:
        made.init()
        return
    with pytest.raises(EnvironmentFailure, match=re.escape(f"asks for {others}, which no stack")):
        made.init()


def test_what_is_applied_is_the_plan_that_was_made(terraform: Make, tmp_path: Path) -> None:
    made = terraform("exit 2")
    assert made.plan(heard=lambda _: None)
    with pytest.raises(TerraformFailed):
        made.apply(lambda _: None)
    planned, applied = (each.split() for each in calls(tmp_path))
    assert f"-out={applied[-1]}" in planned


def test_errors_come_with_what_they_are_about(terraform: Make) -> None:
    said = json.dumps({"type": "diagnostic", "diagnostic": FAILED})
    with pytest.raises(TerraformFailed) as failed:
        terraform(f"echo '{said}'; exit 1").apply(lambda _: None)
    assert (failed.value.errors, failed.value.addresses) == (("No\nBecause.",), ("a.b",))


def test_what_may_be_secret_is_in_no_log(terraform: Make, tmp_path: Path) -> None:
    made = terraform(f"echo 'Warning: old'; echo '{json.dumps(PULLED)}'")
    assert made.state() == PULLED
    assert not (tmp_path / "log").exists()
    assert not (made.place.folder / "answer.json").exists()


def test_there_may_be_no_state(terraform: Make) -> None:
    assert terraform("").state() == {}


def test_the_next_version_of_a_state_is_put_there_and_left_nowhere(terraform: Make, tmp_path: Path) -> None:
    made = terraform("cat next.tfstate")
    made.replace_state(PULLED)
    assert calls(tmp_path) == ["state push -no-color next.tfstate"]
    assert not (made.place.folder / "next.tfstate").exists()
    assert json.dumps(PULLED) in (tmp_path / "log").read_text()


def said_by_apply(outputs: dict[str, dict[str, object]]) -> str:
    event = json.dumps({"@message": "Outputs: 1", "type": "outputs", "outputs": outputs})
    asked = json.dumps({"nodes": {"value": "asked"}})
    return f"case $1 in apply) echo '{event}' ;; output) echo '{asked}' ;; esac"


def test_outputs_that_an_apply_has_said_are_not_asked_for_again(terraform: Make, tmp_path: Path) -> None:
    made = terraform(said_by_apply({"nodes": {"sensitive": False, "type": "string", "value": "said"}}))
    assert made.outputs()["nodes"]["value"] == "asked", "nothing was applied yet"
    made.apply(heard=lambda _: None)
    assert made.outputs()["nodes"]["value"] == "said"
    assert [each.split()[0] for each in calls(tmp_path)] == ["output", "apply"]


def test_secret_outputs_are_asked_for(terraform: Make) -> None:
    made = terraform(said_by_apply({"key": {"sensitive": True, "type": "string"}}))
    made.apply(heard=lambda _: None)
    assert made.outputs()["nodes"]["value"] == "asked"
