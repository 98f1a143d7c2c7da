"""Helpers of tests that are no fixtures: places, and stack files as data."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from clusterprint.derived.state_names import stacks as stack_names
from clusterprint.load import load_text
from clusterprint.plan.part import StackPlan
from clusterprint.resolve import resolve
from clusterprint.review import stack_file
from clusterprint.review.delta import Resource
from clusterprint.validate import validate

ROOT = Path(__file__).resolve().parent.parent
BLUEPRINTS = ROOT / "blueprints"
GOLDENS = ROOT / "tests" / "goldens"

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Change = Callable[..., dict[str, str]]
StacksOf = Callable[[Path], list[Path]]


def without_metadata(value: Any) -> Any:
    """Terraform JSON without the engine's notes to itself."""
    if isinstance(value, dict):
        return {key: without_metadata(each) for key, each in value.items() if key != "//"}
    return [without_metadata(each) for each in value] if isinstance(value, list) else value


def read_stack(file: Path) -> Any:
    """A stack file as data, without the engine's notes to itself."""
    return without_metadata(json.loads(file.read_text("utf-8")))


def field(blueprint: Path, key: str) -> str:
    """The text of a blueprint at a key of the first level."""
    lines = blueprint.read_text("utf-8").splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith(f"{key}: ")), "")


def stacks_of(blueprint: Path, out: Path) -> list[Path]:
    """The folders of a blueprint's stacks below `out`, in the order of their use."""
    names = stack_names(field(blueprint, "kind"), field(blueprint, "name"))
    found = [folder for name in names if (folder := out / name).is_dir()]
    assert found, f"{blueprint.name} made no stack"
    return found


def effort(work: Callable[[], object]) -> int:
    """How many calls of functions something takes: like its time, but the same on every machine."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def cases() -> list[Path]:
    """Every blueprint that is synthesized, compared and run through Terraform."""
    return sorted([*BLUEPRINTS.glob("*.yaml"), *GOLDENS.glob("*.yaml")])


def resources_of(golden: str, stack: str = "") -> list[Resource]:
    """The input of a review of a golden: all of its stacks, or one."""
    found = json.loads((GOLDENS / f"{golden}.tf.json").read_text("utf-8"))
    stacks = {"": found} if "terraform" in found else found
    resources: list[Resource] = []
    with TemporaryDirectory() as folder:
        for name in [stack] if stack else stacks:
            file = Path(folder, "cdk.tf.json")
            file.write_text(json.dumps(stacks[name]), "utf-8")
            resources += stack_file.read_stack(file, name or "stack").resources.values()
    return resources


def plans_of(text: str, folder: Path = BLUEPRINTS) -> tuple[StackPlan, ...]:
    """The plans of a blueprint that is given as its text."""
    document = load_text(text.encode(), "blueprint.yaml", folder).document
    assert document
    validated = validate(document)
    assert validated.blueprint, validated.diagnostics
    return resolve(validated.blueprint, folder)
