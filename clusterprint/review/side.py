"""One side of a comparison: blueprints at a git revision or in a folder, checked and synthesized."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.errors import UsageError
from clusterprint.examine import examine
from clusterprint.find import DEFAULT, STDIN, NothingFound, find
from clusterprint.progress import say
from clusterprint.review.order import natural
from clusterprint.review.stack_file import Stack, read_stack
from clusterprint.revision import at_revision, commit_of
from clusterprint.synth import plan_all, synthesize
from clusterprint.validate import Validated


class Member(NamedTuple):
    """A blueprint of a side; `stacks` is empty if it has errors, for then nothing is built of it."""

    validated: Validated
    stacks: tuple[Stack, ...]

    @property
    def name(self) -> str:
        """The name of its cluster, empty if that cannot be read."""
        name = self.validated.document.data.get("name")
        return name if isinstance(name, str) else ""

    @property
    def kind(self) -> str:
        """Its kind, empty if that cannot be read."""
        kind = self.validated.document.data.get("kind")
        return kind if isinstance(kind, str) else ""

    @property
    def file(self) -> str:
        """Its file, as people know it."""
        return self.validated.document.file


class Side(NamedTuple):
    """All blueprints of one side. `unreadable` are files that are not even YAML."""

    label: str
    members: tuple[Member, ...]
    diagnostics: tuple[Diagnostic, ...]
    unreadable: tuple[str, ...]
    crashed: bool


WORK_TREE = "the work tree"


@contextmanager
def opened(source: str | None, paths: Sequence[Path]) -> Iterator[Side]:
    """The side that `--base` or `--head` names: a revision, a folder, or (None) the files as they are.

    Raises UsageError for what is neither, or both.
    """
    if STDIN in paths:
        raise UsageError("a review compares versions, and standard input has only one: name a file or folder")
    named = list(paths) or [DEFAULT]
    if source is None:
        yield read_side(WORK_TREE, [path for path in named if path.exists()], Path(), Path())
    elif is_folder(source):
        folder = Path(source)
        yield read_side(source, _inside(folder, paths), folder, Path())
    else:
        with at_revision(source, named) as earlier:
            label = source if earlier.commit.startswith(source) else f"{source} ({earlier.commit[:12]})"
            yield read_side(label, earlier.paths, earlier.folder, Path(os.path.relpath(earlier.root)))


def is_folder(source: str) -> bool:
    """Whether a folder is meant, not a revision."""
    if source.startswith((".", "/")) or source.endswith("/"):
        if not Path(source).is_dir():
            raise UsageError(f"there is no folder {source}")
        return True
    if not Path(source).is_dir():
        return False
    if commit_of(source):
        raise UsageError(
            f"{source} is a revision and a folder: write ./{source} for the folder, "
            f"refs/heads/{source} for a branch"
        )
    return True


def _inside(folder: Path, paths: Sequence[Path]) -> list[Path]:
    """The same paths below another folder; without any, its blueprints/, else the folder itself."""
    absolute = [str(path) for path in paths if path.is_absolute()]
    if absolute:
        raise UsageError(f"{', '.join(absolute)}: with folders to compare, paths are relative to the folders")
    if not paths:
        return [folder / DEFAULT if (folder / DEFAULT).is_dir() else folder]
    return [folder / path for path in paths if (folder / path).exists()]


def read_side(label: str, paths: Sequence[Path], folder: Path, shown: Path) -> Side:
    """Check and synthesize the blueprints among the paths; files below `folder` are shown below `shown`."""
    # A folder of its own is a whole repository as it was; the one that we are in is found around the files.
    root = None if folder == Path() else folder
    paths = [path for path in paths if _has_blueprints(path, root)]
    if not paths:
        return Side(label, (), (), (), crashed=False)

    def name(file: Path) -> str:
        return Path(os.path.normpath(shown / os.path.relpath(file, folder))).as_posix()

    say(f"checking the blueprints at {label}")
    examined = examine(paths, name=name, root=root)
    broken = {each.place.file for each in examined.diagnostics if each.severity is Severity.ERROR}
    results = examined.results
    sound = [each for each in results if broken.isdisjoint(each.document.files) and each.blueprint]
    members = [Member(each, ()) for each in results if each not in sound]
    members += [Member(each, stacks) for each, stacks in zip(sound, synthesized(sound), strict=True)]
    return Side(
        label,
        tuple(sorted(members, key=lambda each: (natural(each.name), each.file))),
        tuple(examined.diagnostics),
        tuple(sorted(examined.unreadable)),
        examined.crashed,
    )


def member_of(validated: Validated) -> Member:
    """A sound blueprint, synthesized."""
    return Member(validated, synthesized([validated])[0])


def _has_blueprints(path: Path, root: Path | None) -> bool:
    try:
        find([path], root)
    except NothingFound:
        return False
    return True


def synthesized(results: Sequence[Validated]) -> list[tuple[Stack, ...]]:
    """The stacks of each blueprint."""
    found: dict[int, tuple[Stack, ...]] = {}
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        for number, batch in enumerate(_batches(results)):
            out = Path(folder) / str(number)
            planned = {index: plan_all([results[index]]) for index in batch}
            synthesize([each for many in planned.values() for each in many], out)
            for index, many in planned.items():
                found[index] = tuple(_read(out, each.plan.name) for each in many)
    return [found[index] for index in range(len(results))]


def _read(out: Path, stack: str) -> Stack:
    return read_stack(out / "stacks" / stack / "cdk.tf.json", stack)


def _batches(results: Sequence[Validated]) -> list[list[int]]:
    """Which blueprints can be synthesized together: those of different names."""
    batches: list[list[int]] = []
    taken: list[set[str]] = []
    for index, each in enumerate(results):
        name = str(each.document.data.get("name"))
        free = next((number for number, names in enumerate(taken) if name not in names), len(batches))
        if free == len(batches):
            batches.append([])
            taken.append(set())
        batches[free].append(index)
        taken[free].add(name)
    return batches
