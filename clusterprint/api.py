"""The Python API: load, validate, synthesize, review and simulate blueprints.

This module follows semantic versioning; all others may change at any time. Functions take files and folders
as commands do, print nothing, never exit, and raise `ClusterprintError` for wrong usage (`UsageError`) or a
failure of the machine (`EnvironmentFailure`). Secrets of known formats are masked in what they return.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from clusterprint.diagnostic import Diagnostic, Label, Severity, Span
from clusterprint.errors import SIMULATION, ClusterprintError, EnvironmentFailure, UsageError, from_checkout
from clusterprint.examine import Examined, examine, read_all
from clusterprint.masking import masked
from clusterprint.render.text import render, summary

__all__ = [
    "Blueprint",
    "ClusterprintError",
    "Diagnostic",
    "EnvironmentFailure",
    "Invalid",
    "Label",
    "Severity",
    "Simulation",
    "Span",
    "UsageError",
    "Validation",
    "load",
    "review",
    "simulate",
    "synthesize",
    "validate",
]

FilePath: TypeAlias = str | PathLike[str]


@dataclass(frozen=True)
class Blueprint:
    """A file as it was read: its plain data, with defaults of folders, or None where its syntax is wrong."""

    file: str
    data: Mapping[str, Any] | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Validation:
    """All diagnostics of some blueprints, file by file, and the names of their clusters.

    `text` is what `clusterprint validate` prints.
    """

    clusters: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    text: str

    @property
    def ok(self) -> bool:
        """Whether nothing is an error: warnings and notes are none."""
        return all(each.severity is not Severity.ERROR for each in self.diagnostics)


class Invalid(ClusterprintError):  # noqa: N818 - the blueprints are, and nothing has failed
    """Blueprints have errors, so nothing was made of them; `validation` has all diagnostics."""

    def __init__(self, validation: Validation) -> None:
        super().__init__(f"the blueprints have problems:\n{validation.text}")
        self.validation = validation


@dataclass(frozen=True)
class Simulation:
    """Plans of real Terraform in a simulated cloud: whether one failed, whether something would change."""

    failed: bool
    changes: bool
    text: str


def load(*paths: FilePath) -> list[Blueprint]:
    """The blueprints among files and folders, only read: neither schema nor rules are checked."""
    return [
        Blueprint(
            each.name,
            None if each.loaded.document is None else masked(each.loaded.document.data),
            tuple(each.loaded.diagnostics),
        )
        for each in read_all([Path(path) for path in paths])
    ]


def validate(*paths: FilePath) -> Validation:
    """The diagnostics of the blueprints among files and folders, checked together as one fleet."""
    return _validation(examine([Path(path) for path in paths]))


def synthesize(*paths: FilePath, out: FilePath) -> list[Path]:
    """Write Terraform JSON of valid blueprints into a folder; the files, one for each stack.

    Raises Invalid for blueprints with errors; the folder is then unchanged.
    """
    return _synthesized([Path(path) for path in paths], Path(out))


def review(*paths: FilePath, base: str, head: str | None = None) -> dict[str, Any]:
    """The effects of changed blueprints on clusters, as `clusterprint review --format json` has them.

    `base` and `head` are git revisions or folders; without `head`, it is the work tree. Policies of the base
    judge, and forecasts that they ask for are left out.
    """
    from clusterprint.review.assemble import assemble
    from clusterprint.review.comparison import compare_sides
    from clusterprint.review.policy.find import find_policies
    from clusterprint.review.policy.judge import Judge
    from clusterprint.review.render import json as as_json

    among = tuple(Path(path) for path in paths)
    gathered = compare_sides(base, head, among)
    policies = find_policies(base, head, among, gathered.blueprints)
    found: dict[str, Any] = json.loads(as_json.render(assemble(gathered, Judge(policies))))
    return found


def simulate(*paths: FilePath, base: str | None = None) -> Simulation:
    """Terraform's plans of valid blueprints in a simulated cloud, which is gone afterwards.

    With `base`, a git revision, its blueprints are applied there first. Raises Invalid for blueprints with
    errors, EnvironmentFailure without Terraform or the package of the simulated cloud.
    """
    try:
        from clusterprint_simcloud.errors import SimulationError
        from clusterprint_simcloud.plan import simulate as planned
    except ImportError as error:
        raise EnvironmentFailure(
            f"simulated plans need more packages, {error.name} for one; {from_checkout(*SIMULATION)}"
        ) from error
    among = [Path(path) for path in paths]
    with _stacks(among) as stacks, _earlier(base, among) as previous:
        try:
            done = planned(stacks, previous)
        except SimulationError as error:
            raise EnvironmentFailure(str(error)) from error
    return Simulation(failed=done.exit_code == 1, changes=done.exit_code == 2, text=done.text)  # noqa: PLR2004


def _validation(examined: Examined) -> Validation:
    names = [str(each.document.data.get("name", "")) for each in examined.results]
    said = summary(examined.files, examined.errors, examined.warnings, examined.notes)
    text = "\n".join(filter(None, (render(examined.diagnostics, examined.sources), said)))
    return Validation(tuple(names), tuple(examined.diagnostics), text)


def _synthesized(paths: Sequence[Path], out: Path, root: Path | None = None) -> list[Path]:
    examined = examine(paths, root=root)
    if examined.errors or examined.unreadable:
        raise Invalid(_validation(examined))
    from clusterprint.synth import plan_all
    from clusterprint.synth import synthesize as write

    return list(write(plan_all(examined.results), out))


@contextmanager
def _stacks(paths: Sequence[Path], root: Path | None = None) -> Iterator[list[Path]]:
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        yield [file.parent for file in _synthesized(paths, Path(folder) / "cdktf.out", root)]


@contextmanager
def _earlier(base: str | None, paths: Sequence[Path]) -> Iterator[list[Path]]:
    if base is None:
        yield []
        return
    from clusterprint.revision import at_revision

    with at_revision(base, paths) as before:
        if not before.paths:
            yield []
            return
        with _stacks(before.paths, before.folder) as stacks:
            yield stacks
