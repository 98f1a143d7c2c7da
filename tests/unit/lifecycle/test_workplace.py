import fcntl
import json
import os
from pathlib import Path

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.stack import Stack, State, needing, waves
from clusterprint.lifecycle.workplace import ERRORED, Workplace, workplace


def stack(folder: Path, version: str = "6.50.0") -> Stack:
    folder.mkdir(exist_ok=True)
    required = {"google": {"source": "google", "version": version}}
    (folder / "cdk.tf.json").write_text(json.dumps({"terraform": {"required_providers": required}}))
    return Stack("first", folder, State("bucket", "clusterprint/first/first"))


def work(made: Stack, home: Path, *, keep: bool = True) -> Workplace:
    with workplace(made, home, keep_checksums=keep, waiting=lambda _: None) as place:
        return place


def test_what_synth_made_is_laid_anew_and_what_terraform_keeps_stays(tmp_path: Path) -> None:
    made = stack(tmp_path / "out")
    folder = work(made, tmp_path / "home").folder
    (folder / "old.tf.json").write_text("{}")
    (folder / ".terraform").mkdir()
    for kept in (ERRORED, ".terraform.lock.hcl"):
        (folder / kept).write_text("")
    assert work(made, tmp_path / "home").folder == folder
    assert {each.name for each in folder.iterdir()} == {
        *("cdk.tf.json", ".terraform", ".terraform.lock.hcl", ERRORED, ".held", ".providers.json")
    }
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("version", "keep"), [("7.45.0", True), ("6.50.0", False)])
def test_checksums_of_other_providers_go(tmp_path: Path, version: str, keep: bool) -> None:
    folder = work(stack(tmp_path / "out"), tmp_path / "home").folder
    (folder / ".terraform.lock.hcl").write_text("")
    work(stack(tmp_path / "out", version), tmp_path / "home", keep=keep)
    assert not (folder / ".terraform.lock.hcl").exists()


def test_two_states_of_one_name_have_two_folders(tmp_path: Path) -> None:
    one = stack(tmp_path / "out")
    other = one._replace(state=State("bucket", "elsewhere/first"))
    assert work(one, tmp_path / "home").folder != work(other, tmp_path / "home").folder


def test_who_works_there_is_named_to_the_second(tmp_path: Path) -> None:
    made = stack(tmp_path / "out")
    with (
        workplace(made, tmp_path / "home", keep_checksums=True, waiting=lambda _: None),
        pytest.raises(
            EnvironmentFailure, match=f"another run is active on stack first: process {os.getpid()}"
        ),
    ):
        work(made, tmp_path / "home")


def test_the_terraform_of_a_killed_run_is_waited_for(tmp_path: Path) -> None:
    made = stack(tmp_path / "out")
    folder = work(made, tmp_path / "home").folder
    gone = os.fork()
    if gone == 0:
        os._exit(0)
    os.waitpid(gone, 0)
    handle = os.open(folder / ".held", os.O_RDWR)
    before = Workplace(made, folder, handle)
    (folder / ".held").write_text(json.dumps({"pid": gone, "command": "clusterprint up"}))
    before.note_program(os.getpid())
    fcntl.flock(handle, fcntl.LOCK_EX)
    said: list[str] = []

    def waiting(text: str) -> None:
        said.append(text)
        os.close(handle)  # as Terraform's end does

    with workplace(made, tmp_path / "home", keep_checksums=True, waiting=waiting):
        assert said[0].startswith("an earlier run was killed, and its Terraform is still active on first")
        assert f"waiting for process {os.getpid()} (to stop it: kill -INT {os.getpid()}, " in said[0]


def test_a_place_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(EnvironmentFailure, match=r"cannot work in .*home/first-"):
        work(stack(tmp_path / "out"), tmp_path / "home")


def named(name: str, *needs: str) -> Stack:
    return Stack(name, Path(), State("b", name), needs)


def test_stacks_come_in_waves_and_those_that_need_nothing_come_together() -> None:
    found = waves([named("a-ray", "a-cluster"), named("a-cluster"), named("b")])
    assert [[each.name for each in wave] for wave in found] == [["a-cluster", "b"], ["a-ray"]]


def test_what_needs_what_is_lost_is_lost_too() -> None:
    stacks = [named("a"), named("b", "a"), named("c", "b"), named("d")]
    assert needing(stacks, ["a"]) == {"b", "c"}
    assert needing(stacks, []) == set()
