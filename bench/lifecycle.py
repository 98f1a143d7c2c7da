"""Overhead of `up` beside the Terraform that it runs, in a simulated cloud."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measuring import ROOT, clusterprint, wall

from clusterprint_simcloud import World

BLUEPRINT = ROOT / "blueprints/vm-smallest.yaml"
# What somebody types who does without `up`, once `synth` has made the stack.
STEPS = (
    ("init", "-input=false", "-no-color"),
    ("plan", "-input=false", "-out=made.tfplan"),
    ("apply", "-input=false", "made.tfplan"),
)


def rounds(count: int) -> Iterator[tuple[float, float]]:
    """Seconds of `synth` and plain Terraform, and of `up`, for a new cluster of one stack, in turns."""
    for _ in range(count):
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            yield _plain(Path(folder)), _ours(Path(folder))


def _plain(folder: Path) -> float:
    """`synth`, and the steps of Terraform, in a world that is up already."""
    out = folder / "made"
    took = wall(clusterprint("synth", BLUEPRINT, "--out", out))
    (stack,) = (out / "stacks").iterdir()
    with World("my-terraform-state") as world:
        world.assume(stack)
        program = shutil.which("terraform") or shutil.which("tofu") or "terraform"
        variables = {**world.environment, "PYTHONPATH": str(ROOT)}
        return took + sum(wall((program, f"-chdir={stack}", *step), **variables) for step in STEPS)


def _ours(folder: Path) -> float:
    """The whole of `up`; the start of the simulated world, which real clouds have not, is taken off."""
    world = folder / "world"
    command = clusterprint("up", BLUEPRINT, "--yes", "--simulate", world)
    took = wall(command)
    return took - _start(world)


def _start(world: Path) -> float:
    """Seconds until the simulated world of a stack serves, and until it has ended."""
    (stack,) = (world / "stacks").iterdir()
    command = [sys.executable, "-m", "clusterprint_simcloud.standing", str(world), str(stack)]
    return wall(command)
