"""Every example blueprint, through real Terraform: init, validate, plan, apply, plan nothing, destroy."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support import BLUEPRINTS

from clusterprint.simcloud import World

FILES = sorted(BLUEPRINTS.glob("*.yaml"))


def stacks_of(blueprint: Path, synthesized: Path) -> list[Path]:
    """The stacks of a blueprint, `<name>` or `<name>-...`, each after those it depends on."""
    match = re.search(r"^name: (\S+)", blueprint.read_text(), re.MULTILINE)
    assert match is not None
    found = [one for one in synthesized.iterdir() if f"{one.name}-".startswith(f"{match[1]}-")]
    assert found != []
    return sorted(found, key=lambda one: (not one.name.endswith("-cluster"), one.name))


def state_bucket(blueprint: Path) -> str:
    """The bucket of the blueprint's backend."""
    match = re.search(r"bucket: ([^\s}]+)", blueprint.read_text().partition("backend:")[2])
    assert match is not None
    return match[1]


@pytest.mark.terraform
@pytest.mark.parametrize("blueprint", FILES, ids=lambda one: one.stem)
def test_a_whole_life(blueprint: Path, synthesized: Path, tmp_path: Path) -> None:
    stacks = [
        Path(shutil.copytree(one, tmp_path / "stacks" / one.name))
        for one in stacks_of(blueprint, synthesized)
    ]
    with World(state_bucket(blueprint), folder=tmp_path / "world") as world:
        world.assume(*stacks)
        for stack in stacks:
            world.terraform(stack, "validate")
            assert set(world.changes(stack).values()) == {"create"}
            world.apply(stack)
            assert world.changes(stack) == {}
        assert world.resources() != []
        for stack in reversed(stacks):
            world.destroy(stack)
        assert world.resources() == []
