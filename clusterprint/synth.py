"""Steps 4 and 5: Plan -> stack -> Terraform JSON.

`main.py` (the cdktf CLI) and `clusterprint synth` both end here, so they write the same bytes. The one
importer of `stacks` and, through the bindings loader, of the engine.

Output is made aside and moved into place, the manifest last: an interrupted run leaves the last good state,
and Terraform's own files beside a stack (`.terraform`, the lock file) are not touched.
"""

import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint import assets, bindings
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.files import atomic, safe_write
from clusterprint.plan.part import StackPlan
from clusterprint.progress import say
from clusterprint.resolve import resolve
from clusterprint.validate import Validated

__all__ = ["Planned", "plan_all", "synthesize"]


# How Node, which writes the stack files, says that the system refused.
_NODE_CANNOT = re.compile(r"\bE(?:NOSPC|DQUOT|FBIG|ROFS|IO|ACCES|PERM|MFILE|NFILE): ([^,\n]+)")


class Planned(NamedTuple):
    """A plan, and the blueprint's folder, from which the files that it carries are copied."""

    plan: StackPlan
    folder: Path


def synthesize(planned: Sequence[Planned], out: Path) -> list[Path]:
    """Write the Terraform JSON of all plans into `out`, and return the stack files, in order.

    The output is made aside and moved into place at the end: whoever reads `out`, or interrupts this,
    finds the old state or the new one. What Terraform keeps beside a stack is left alone.
    Raises UsageError for two stacks of one name, EnvironmentFailure if `out` cannot be written.
    """
    _refuse_twins(planned)
    try:
        with atomic.folder_beside(out) as made:
            try:
                _build(planned, made)
            except (KeyboardInterrupt, SystemExit):
                bindings.stop_node()  # it would go on writing into what is cleared away now
                raise
            return _move_into_place(made, out)
    except FileNotFoundError as error:
        raise EnvironmentFailure(f"{error.filename or out} is gone: it was there a moment ago") from error
    except OSError as error:
        raise EnvironmentFailure(f"cannot write to {out}: {error.strerror}") from error
    except RuntimeError as error:
        said = _NODE_CANNOT.search(str(error))
        if said is None:
            raise
        raise EnvironmentFailure(f"cannot write to {out}: {said[1]}") from error


def _refuse_twins(planned: Iterable[Planned]) -> None:
    seen = set()
    for name in (each.plan.name for each in planned):
        if name in seen:
            raise UsageError(
                f"two blueprints make a stack called {name!r}, so one would overwrite the other's output; "
                "rename one, or synthesize each into a folder of its own with --out"
            )
        seen.add(name)


def _build(planned: Sequence[Planned], out: Path) -> None:
    """Run the engine; files that a stack refers to are laid beside it."""
    say("loading the engine")
    folder = assets.folder("stacks")
    bindings.prepare()
    # In a wheel the stacks lie inside the package; in a checkout, beside it.
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))
    from cdktf import App, TerraformStack  # the engine takes half a second to load

    import stacks  # needs the engine

    builders = [(stacks.builder(each.plan), each.plan) for each in planned]
    # The engine's own checks say nothing that ours leave open, but for some resources they ask
    # `terraform version`: synth needs no Terraform.
    # Node stays in the folder that it was started in, so it is told a path that means the same from anywhere.
    app = App(outdir=str(out.absolute()), skip_validation=True)
    built: dict[str, TerraformStack] = {}
    for number, (build, plan) in enumerate(builders, 1):
        say(f"building {plan.name} ({number} of {len(builders)})")
        built[plan.name] = build(app, built)
    say("writing Terraform JSON")
    app.synth()
    for each in planned:
        stacks.lay_files(each.plan, each.folder, out / "stacks" / each.plan.name)


def _move_into_place(complete: Path, out: Path) -> list[Path]:
    """Move a finished output over an older one, the manifest last: it never names what is not there."""
    files = []
    for made in sorted((complete / "stacks").iterdir()):
        target = out / "stacks" / made.name
        safe_write.through_no_link(target / "files", out)
        target.mkdir(parents=True, exist_ok=True)
        _replace_folder(made / "files", target / "files")
        for file in sorted(made.iterdir()):
            file.replace(target / file.name)
        files.append(target / "cdk.tf.json")
    (complete / "manifest.json").replace(out / "manifest.json")
    return files


def _replace_folder(made: Path, target: Path) -> None:
    if target.exists():
        old = made.parent / "files.old"
        target.replace(old)
        shutil.rmtree(old)
    if made.exists():
        made.replace(target)


def plan_all(results: Iterable[Validated]) -> list[Planned]:
    """Resolve every blueprint, stack by stack; they validated without errors."""
    return [
        Planned(plan, each.document.folder)
        for each in results
        if each.blueprint is not None
        for plan in resolve(each.blueprint, each.document.folder)
    ]
