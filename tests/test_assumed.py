"""Resources that a blueprint names and no stack creates are assumed to exist."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from clusterprint.cli.plan import plan
from clusterprint.errors import EnvironmentFailure
from clusterprint_simcloud import world
from clusterprint_simcloud.errors import NoLoopback

NAMED = """\
clusterprint: v1
kind: vm
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
nodes:
  machine_type: a3-highgpu-8g
  image: {project: my-project, %s}
network: {cidr: 10.0.0.0/16, existing: {name: shared, subnetwork: c-gpu-0, project: my-host-project}}
service_account: {roles: [projects/my-project/roles/reader]}
"""


@pytest.mark.terraform
@pytest.mark.parametrize("image", ["name: trainer-v12", "family: trainer"])
def test_images_roles_and_networks_of_ones_own(image: str, tmp_path: Path) -> None:
    """The shared network has the name of a network for GPUs, which is in another project."""
    (tmp_path / "a.yaml").write_text(NAMED % image)
    done = CliRunner().invoke(plan, ["--simulate", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "Plan: " in done.output


def test_the_missing_package_is_named_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "clusterprint_simcloud.plan", None)
    done = CliRunner().invoke(plan, ["--simulate", "/nowhere"])
    assert isinstance(done.exception, EnvironmentFailure)
    assert "pip install ./simcloud '.[simulate]'" in str(done.exception)


def test_without_a_loopback_network_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(99, "Cannot assign requested address")

    monkeypatch.setattr(world, "Emulator", refuse)
    with pytest.raises(NoLoopback, match="loopback network"), world.World("my-state"):
        pass
