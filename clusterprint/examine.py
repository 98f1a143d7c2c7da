"""Steps 1 and 2 for everything that a command is about: find, load, validate."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.files.inside import root_of
from clusterprint.find import DEFAULT, STDIN, NothingFound, find
from clusterprint.load import Loaded, load, load_text, with_defaults
from clusterprint.load.codes import FILE_MISSING
from clusterprint.load.limits import MAX_BYTES
from clusterprint.masking import mask, masked, stars
from clusterprint.masking.documents import secrets_in
from clusterprint.validate import Validated, check_alone, check_fleet, in_order


class Examined(NamedTuple):
    """The result: one per file that could be read, and all diagnostics, file by file.

    `sources` is the text of each file by its name, with secrets masked, those of defaults included; `files`
    is how many blueprints there were, `unreadable` the names of those that could not be read.
    """

    results: list[Validated]
    diagnostics: list[Diagnostic]
    sources: dict[str, str]
    files: int
    unreadable: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(each.severity is Severity.ERROR for each in self.diagnostics)

    @property
    def warnings(self) -> int:
        """How many warnings there are."""
        return sum(each.severity is Severity.WARNING for each in self.diagnostics)

    @property
    def notes(self) -> int:
        """How many pieces of advice there are."""
        return sum(each.severity is Severity.NOTE for each in self.diagnostics)

    @property
    def crashed(self) -> bool:
        """Whether a rule failed on its own account."""
        return any(each.crashed for each in self.results)


# A process costs as much as this many blueprints: below, helpers make it slower.
_WORTH_A_PROCESS = 50


def examine(
    paths: Sequence[Path], jobs: int = 1, name: Callable[[Path], str] = str, root: Path | None = None
) -> Examined:
    """Load and validate all blueprints among the paths, as one fleet; `jobs` is how many at once, at most.

    `name` says what a file is called in messages. Nothing outside of `root` is read, by default the
    repository around each file. Raises UsageError if there is nothing to look at.
    """
    named = _named(paths, name, root)
    files, names = [each[0] for each in named], [each[1] for each in named]
    with _outcomes(named, processes(jobs, len(files))) as found:
        outcomes = list(found)
    checked = check_fleet([each.result for each in outcomes if each.result is not None])
    by_file = iter(checked)
    diagnostics: list[Diagnostic] = []
    for each in outcomes:
        own = next(by_file).diagnostics if each.result is not None else []
        diagnostics += masked(in_order([*each.diagnostics, *own]))
    # A blueprint that did not load completely has errors, and nothing is built with errors.
    sources = {called: each.source for each, called in zip(outcomes, names, strict=True)}
    unreadable = tuple(name for name, each in zip(names, outcomes, strict=True) if each.result is None)
    # What blueprints share is read with each of them, and said once.
    shared = {name: text for each in outcomes for name, text in each.defaults.items()}
    return Examined(checked, [*dict.fromkeys(diagnostics)], {**shared, **sources}, len(files), unreadable)


class Read(NamedTuple):
    """A file that was only loaded; `source` is its text as it may be shown."""

    file: Path
    name: str
    root: Path
    loaded: Loaded
    source: str


def read_all(paths: Sequence[Path]) -> list[Read]:
    """Only load all blueprints among the paths. Raises UsageError if there is nothing to look at."""
    found = []
    for file, name, root in _named(paths, str, None):
        loaded = _load_stdin() if file == STDIN else load(file, name, root)
        masked_ones = loaded._replace(diagnostics=masked(loaded.diagnostics))
        found.append(Read(file, name, root, masked_ones, source_of(loaded)))
    return found


def clusters_in(paths: Sequence[Path]) -> tuple[dict[str, list[Path]], list[Path]]:
    """The files of each cluster among the paths by its name, and all files that were searched."""
    try:
        found = read_all(paths)
    except NothingFound:
        found = []
    names: dict[str, list[Path]] = {}
    for each in found:
        name = each.loaded.document.data.get("name") if each.loaded.document else None
        if isinstance(name, str):
            names.setdefault(name, []).append(each.file)
    return names, [each.file for each in found]


def _named(paths: Sequence[Path], name: Callable[[Path], str], root: Path | None) -> list["Named"]:
    # Masked from the start, so that a file is called the same everywhere.
    return [(file, mask(name(file)), root or root_of(file, paths)) for file in find(paths, root)]


def processes(jobs: int, files: int) -> int:
    """How many processes to use when so many may be used: no more than there are processors, nor than pay."""
    # Not every system can say which processors this process may use.
    allowed = getattr(os, "sched_getaffinity", None)
    processors = len(allowed(0)) if allowed else os.cpu_count() or 1
    return max(1, min(jobs, processors, files // _WORTH_A_PROCESS))


class Outcome(NamedTuple):
    """The result of one file: the diagnostics of reading it, its text as it may be shown, and the check.

    `defaults` are the texts of the files that were laid under it, by their names.
    """

    diagnostics: list[Diagnostic]
    source: str
    result: Validated | None
    defaults: dict[str, str]


Named = tuple[Path, str, Path]


def _load_stdin() -> Loaded:
    # One byte more than is allowed is enough to know that it is too much.
    return load_text(sys.stdin.buffer.read(MAX_BYTES + 1), "-", Path())


def _examine_one(named: Named) -> Outcome:
    file, name, root = named
    alone = _load_stdin() if file == STDIN else load(file, name, root)
    loaded, defaults = with_defaults(alone, file, name, root)
    checked = check_alone(loaded.document) if loaded.document is not None else None
    texts = {each.document.file if each.document else each.name: source_of(each) for each in defaults}
    return Outcome(_with_names(loaded.diagnostics, file), source_of(alone), checked, texts)


def _with_names(diagnostics: list[Diagnostic], file: Path) -> list[Diagnostic]:
    """The files found; for a path that does not exist, also the blueprint of the cluster of that name."""
    if [each.code for each in diagnostics] != [FILE_MISSING.code] or not DEFAULT.is_dir():
        return diagnostics
    meant = clusters_in([DEFAULT])[0].get(file.stem)
    if not meant:
        return diagnostics
    return [diagnostics[0]._replace(help=f"{file.stem} is the name of the cluster in {meant[0]}: name that")]


def source_of(loaded: Loaded) -> str:
    """The text of a file as it may be shown."""
    if loaded.document is None:
        return mask(loaded.text)
    return stars(loaded.text, [(each.start, each.end) for each in secrets_in(loaded.document)])


@contextmanager
def _outcomes(named: Sequence[Named], wanted: int) -> Iterator[Iterable[Outcome]]:
    """The outcome of each file, found in this process or in several."""
    if wanted <= 1:
        yield map(_examine_one, named)
        return
    from concurrent.futures import ProcessPoolExecutor  # a tenth of the time that one blueprint takes
    from multiprocessing import get_context

    # The first in this process: what it loads and makes (rules, schemas, forms of secrets), forks then have.
    # Standard input is among the first, and only this process has it.
    ahead = 1 + max((at for at, each in enumerate(named) if each[0] == STDIN), default=0)
    first = [_examine_one(each) for each in named[:ahead]]
    with ProcessPoolExecutor(wanted, get_context("fork" if sys.platform == "linux" else None)) as pool:
        yield chain(first, pool.map(_examine_one, named[ahead:], chunksize=8))
