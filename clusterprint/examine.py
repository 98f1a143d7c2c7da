"""Steps 1 and 2 for everything that a command is about: find, load, validate."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.find import STDIN, find
from clusterprint.inside import root_of
from clusterprint.load import Loaded, load, load_text
from clusterprint.load.limits import MAX_BYTES
from clusterprint.masking import mask, masked, stars
from clusterprint.masking.documents import secrets_in
from clusterprint.validate import Validated, check_alone, check_fleet, in_order


class Examined(NamedTuple):
    """What came of it: one result for each file that could be read, and all diagnostics, file by file.

    `sources` is the text of each file by its name, with secrets masked, `files` how many there were.
    """

    results: list[Validated]
    diagnostics: list[Diagnostic]
    sources: dict[str, str]
    files: int

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


def examine(
    paths: Sequence[Path], jobs: int = 1, name: Callable[[Path], str] = str, root: Path | None = None
) -> Examined:
    """Load and validate all blueprints among the paths, as one fleet; `jobs` is how many at once.

    `name` says what a file is called in messages. Nothing outside of `root` is read, by default the
    repository around each file. Raises UsageError if there is nothing to look at.
    """
    files = find(paths, root)
    # Masked from the start, so that a file is called the same everywhere.
    names = [mask(name(file)) for file in files]
    roots = [root or root_of(file, paths) for file in files]
    with _outcomes(files, names, roots, min(jobs, len(files))) as found:
        outcomes = list(found)
    checked = check_fleet([result for _, result in outcomes if result is not None])
    by_file = iter(checked)
    diagnostics: list[Diagnostic] = []
    for loaded, result in outcomes:
        own = next(by_file).diagnostics if result is not None else []
        diagnostics += masked(in_order([*loaded.diagnostics, *own]))
    # A blueprint that did not load completely has errors, and nothing is built with errors.
    sources = {called: _shown(loaded) for (loaded, _), called in zip(outcomes, names, strict=True)}
    return Examined(checked, diagnostics, sources, len(files))


def _shown(loaded: Loaded) -> str:
    """The text of a file as it may be shown."""
    if loaded.document is None:
        return mask(loaded.text)
    return stars(loaded.text, [(each.start, each.end) for each in secrets_in(loaded.document)])


Outcome = tuple[Loaded, Validated | None]


def _load_stdin() -> Loaded:
    # One byte more than is allowed is enough to know that it is too much.
    return load_text(sys.stdin.buffer.read(MAX_BYTES + 1), "-", Path())


def _examine_one(file: Path, name: str, root: Path) -> Outcome:
    loaded = _load_stdin() if file == STDIN else load(file, name, root)
    return loaded, check_alone(loaded.document) if loaded.document is not None else None


@contextmanager
def _outcomes(
    files: Sequence[Path], names: Sequence[str], roots: Sequence[Path], jobs: int
) -> Iterator[Iterable[Outcome]]:
    """The outcome of each file, found in this process or in several."""
    if jobs <= 1:
        yield map(_examine_one, files, names, roots)
        return
    from concurrent.futures import ProcessPoolExecutor  # a tenth of the time that one blueprint takes

    with ProcessPoolExecutor(jobs) as pool:
        yield pool.map(_examine_one, files, names, roots, chunksize=8)
