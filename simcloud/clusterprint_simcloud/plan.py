"""A real Terraform plan of stacks against the simulated cloud: no credentials, no network, nothing kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clusterprint_simcloud.errors import NotAStack
from clusterprint_simcloud.world import World

NOTHING, FAILED, CHANGES = 0, 1, 2
LABEL = "Simulated: planned by Terraform against a simulated cloud. No real resource was read or changed."
# The name that CDKTF gives to a stack's file.
_STACK_FILE = "cdk.tf.json"


@dataclass(frozen=True)
class StackPlan:
    """The plan of one stack; `document` is what `terraform show -json` says, empty if planning failed."""

    name: str
    text: str
    exit_code: int  # as of `terraform plan -detailed-exitcode`: 0 nothing to do, 1 failed, 2 changes
    document: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Simulation:
    """The plans of all stacks in the order given; stacks that are gone come first, as destroyed."""

    stacks: list[StackPlan]
    # What the stacks name and none of them makes, as Terraform type and id.
    assumed: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """1 if anything failed, else 2 if anything would change, else 0."""
        codes = {one.exit_code for one in self.stacks}
        return FAILED if FAILED in codes else CHANGES if CHANGES in codes else NOTHING

    @property
    def text(self) -> str:
        """All plans under a line that says that they are simulated."""
        parts = [LABEL, *(f"Assumed to exist: {one}" for one in self.assumed)]
        parts += (f"\nStack {one.name}\n\n{one.text.strip()}\n" for one in self.stacks)
        return "\n".join(parts)


def simulate(stacks: Sequence[Path], previous: Sequence[Path] | None = None) -> Simulation:
    """Plan the `stacks`, folders with synthesized Terraform JSON, each after those that it depends on.

    With `previous`, these folders are applied first, so that the plans show what would change; a previous
    stack whose folder name is not among `stacks` is planned as destroyed. Each stack is applied (in the
    simulation) once it is planned, as later stacks read its outputs. The folders themselves stay as they are.

    :raises NotAStack: when a folder holds no synthesized stack.
    :raises MissingPart: without a terraform or tofu binary, or without provider bindings.
    """
    previous = previous or ()
    for folder in (*stacks, *previous):
        if not (folder / _STACK_FILE).is_file():
            message = f"{folder} holds no {_STACK_FILE}: give folders of synthesized stacks."
            raise NotAStack(message)
    # Terraform itself needs minutes for a thousand nodes; whoever watches decides when it is enough.
    with World(*_buckets((*stacks, *previous)), timeout=None) as world:
        assumed = [one.key for one in world.assume(*stacks, *previous)]
        for folder in previous:
            failed = _apply(world, _copy(world, folder, "before"))
            if failed is not None:
                return Simulation([failed], assumed)
        gone = [folder for folder in previous if folder.name not in {one.name for one in stacks}]
        plans = [_plan(world, _copy(world, one, "gone"), "-destroy") for one in reversed(gone)]
        for folder in stacks:
            copied = _copy(world, folder, "after")
            plans.append(_plan(world, copied))
            failed = None if plans[-1].exit_code != CHANGES else _apply(world, copied)
            if failed is not None:
                plans[-1] = failed
            if plans[-1].exit_code == FAILED:
                break
        return Simulation(plans, assumed)


def _copy(world: World, folder: Path, when: str) -> Path:
    """A copy inside the world: Terraform writes into the folder that it runs in."""
    target = world.folder / when / folder.name
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(".terraform", "*.tfplan", "*.tfstate*"))
    return target


def _plan(world: World, folder: Path, *arguments: str) -> StackPlan:
    done = world.terraform(
        folder, "plan", "-detailed-exitcode", "-out=simulated.tfplan", *arguments, check=False
    )
    if done.returncode == FAILED:
        return StackPlan(folder.name, done.stdout + done.stderr, FAILED)
    shown = world.terraform(folder, "show", "-json", "simulated.tfplan")
    text = world.terraform(folder, "show", "simulated.tfplan").stdout
    return StackPlan(folder.name, text, done.returncode, json.loads(shown.stdout))


def _apply(world: World, folder: Path) -> StackPlan | None:
    """Apply, and return a failed plan with what Terraform said if it fails."""
    done = world.apply(folder, check=False)
    if not done.returncode:
        return None
    return StackPlan(folder.name, f"The simulated apply failed.\n\n{done.stdout}\n{done.stderr}", FAILED)


def _buckets(folders: Iterable[Path]) -> list[str]:
    """The state buckets that the stacks write to and read from."""
    found: list[str] = []
    for folder in folders:
        document = json.loads((folder / _STACK_FILE).read_text())
        backend = document.get("terraform", {}).get("backend", {}).get("gcs", {})
        states = document.get("data", {}).get("terraform_remote_state", {}).values()
        for config in (backend, *(one.get("config", {}) for one in states if one.get("backend") == "gcs")):
            name = config.get("bucket")
            if name and name not in found:
                found.append(name)
    return found
