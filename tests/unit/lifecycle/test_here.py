"""Stacks whose state is on this machine."""

import json
from pathlib import Path
from typing import Any

import pytest

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.lifecycle import local_state
from clusterprint.lifecycle.stack import LocalState, Stack, read_state_place

BUCKET = {"bucket": "states", "prefix": "clusterprint/a/a-cluster"}


def stack(folder: Path, name: str, **more: Any) -> Stack:
    """A stack in a folder, with its state in a bucket."""
    place = {"bucket": "states", "prefix": f"clusterprint/a/{name}"}
    document = {"terraform": {"backend": {"gcs": place}}, "output": {"state": {"value": "gs://"}}, **more}
    (folder / name).mkdir()
    (folder / name / "cdk.tf.json").write_text(json.dumps(document))
    return Stack(name, folder / name, read_state_place(folder / name))


def document_of(made: Stack) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((made.folder / "cdk.tf.json").read_text())
    return found


@pytest.fixture
def cluster(tmp_path: Path) -> Stack:
    """A stack whose state lies here."""
    (made,) = local_state.keep_here([stack(tmp_path, "a-cluster")], tmp_path / "home")
    return made


def test_a_stack_reads_the_state_of_another_one_where_it_lies_now(tmp_path: Path) -> None:
    remote = {"terraform_remote_state": {"around": {"backend": "gcs", "config": BUCKET, "workspace": "w"}}}
    stacks = [stack(tmp_path, "a-cluster"), stack(tmp_path, "a-ray", data=remote)]
    cluster, ray = local_state.keep_here(stacks, tmp_path / "home")
    assert isinstance(cluster.state, LocalState)
    file = str(cluster.state.file)
    assert document_of(cluster)["terraform"]["backend"] == {"local": {"path": file}}
    assert document_of(cluster)["output"]["state"]["value"] == file
    (around,) = document_of(ray)["data"]["terraform_remote_state"].values()
    assert around == {"backend": "local", "config": {"path": file}, "workspace": "w"}
    assert ray.state != cluster.state


def test_a_state_here_is_another_one_than_that_in_the_bucket(tmp_path: Path) -> None:
    before = stack(tmp_path, "a-cluster")
    (after,) = local_state.keep_here([before], tmp_path / "home")
    assert before.mark != after.mark, "they would share a work folder"


def test_a_cluster_that_another_run_has_is_left_alone(cluster: Stack) -> None:
    with (
        local_state.held([cluster]),
        pytest.raises(EnvironmentFailure, match=r"stack a-cluster belongs to a running `up --ephemeral`"),
        local_state.held([cluster]),
    ):
        pass
    with local_state.held([cluster]):
        pass


def test_what_the_cloud_itself_protects_is_refused_before_it_is_made(tmp_path: Path) -> None:
    guarded = {"google_filestore_instance": {"home": {"deletion_protection_enabled": True}, "tmp": {}}}
    with pytest.raises(UsageError, match=r"^google_filestore_instance\.home: protected"):
        local_state.refuse_undeletable([stack(tmp_path, "a-cluster", resource=guarded)])


def test_what_is_left_is_said_even_if_its_state_was_cut_off(cluster: Stack) -> None:
    assert local_state.contents_of(cluster) == ()
    assert isinstance(cluster.state, LocalState)
    cluster.state.file.parent.mkdir()
    instances: list[dict[str, Any]] = [{"attributes": {}}]
    held = {"mode": "managed", "type": "google_compute_network", "name": "primary", "instances": instances}
    text = json.dumps({"version": 4, "resources": [held]})
    cluster.state.file.write_text(text)
    assert local_state.contents_of(cluster) == ("google_compute_network.primary",)
    cluster.state.file.write_text(text[:40])
    (said,) = local_state.contents_of(cluster)
    assert "cannot be read" in said


def test_what_terraform_was_at_is_named_as_its_cloud_names_it(tmp_path: Path) -> None:
    network = {"primary": {"name": "a-net"}}
    nodes = {"nodes": {"name": "${each.key}"}}
    resources = {"google_compute_network": network, "google_compute_instance": nodes}
    made = stack(tmp_path, "a-cluster", resource=resources)
    underway = ["google_compute_network.primary", 'google_compute_instance.nodes["a-0"]']
    assert local_state.names_in(made, underway) == [f"{underway[0]} (a-net)", underway[1]]
