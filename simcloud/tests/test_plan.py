"""Plans of stacks against the simulated cloud."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud.errors import NotAStack
from clusterprint_simcloud.plan import CHANGES, FAILED, LABEL, NOTHING, simulate

if TYPE_CHECKING:
    from conftest import Stack

pytestmark = pytest.mark.terraform


def network(name: str = "net") -> dict[str, Any]:
    return {"google_compute_network": {"main": {"name": name, "auto_create_subnetworks": False}}}


def subnetwork(cidr: str = "10.0.0.0/24") -> dict[str, Any]:
    link = "${data.terraform_remote_state.first.outputs.network}"
    return {"google_compute_subnetwork": {"sub": {"name": "sub", "network": link, "ip_cidr_range": cidr}}}


def pair(stack: Stack, tmp_path: Path, when: str, cidr: str = "10.0.0.0/24") -> list[Path]:
    """Two stacks, of which the second reads the first one's output, kept under a folder of their own."""
    state = {"backend": "gcs", "config": {"bucket": "terraform-state", "prefix": "tests/first"}}
    output = {"network": {"value": "${google_compute_network.main.id}"}}
    made = [
        stack(network(), name="first", output=output),
        stack(subnetwork(cidr), name="second", data={"terraform_remote_state": {"first": state}}),
    ]
    return [Path(shutil.copytree(one, tmp_path / when / one.name)) for one in made]


def test_stacks_are_planned_in_order_and_left_as_they_are(stack: Stack, tmp_path: Path) -> None:
    folders = pair(stack, tmp_path, "now")
    done = simulate(folders)
    assert done.exit_code == CHANGES
    assert [one.name for one in done.stacks] == ["first", "second"]
    assert done.text.startswith(LABEL)
    assert "google_compute_subnetwork.sub will be created" in done.text
    assert [one.name for folder in folders for one in folder.iterdir()] == ["cdk.tf.json"] * 2


def test_with_what_there_was_before_only_the_change_is_planned(stack: Stack, tmp_path: Path) -> None:
    before = pair(stack, tmp_path, "before")
    assert simulate(before, before).exit_code == NOTHING
    done = simulate(pair(stack, tmp_path, "now", "10.9.0.0/24"), before)
    assert [one.exit_code for one in done.stacks] == [NOTHING, CHANGES]
    assert "must be replaced" in done.text
    assert done.stacks[1].document["resource_changes"][0]["change"]["actions"] == ["delete", "create"]


def test_a_stack_that_is_gone_is_planned_as_destroyed(stack: Stack, tmp_path: Path) -> None:
    before = pair(stack, tmp_path, "before")
    done = simulate(before[:1], before)
    assert [one.name for one in done.stacks] == ["second", "first"]
    assert "google_compute_subnetwork.sub will be destroyed" in done.text


def test_what_terraform_refuses_is_said(stack: Stack) -> None:
    done = simulate([stack(network("Not A Name"))])
    assert done.exit_code == FAILED
    assert "doesn't match regexp" in done.text


def test_what_the_cloud_refuses_is_said(stack: Stack) -> None:
    sub = {"name": "sub", "network": "nowhere", "ip_cidr_range": "10.0.0.0/24"}
    done = simulate([stack({"google_compute_subnetwork": {"sub": sub}})])
    assert done.exit_code == FAILED
    assert "The simulated apply failed" in done.text


def test_a_folder_without_a_stack_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(NotAStack, match=r"cdk\.tf\.json"):
        simulate([tmp_path])
