"""An earlier version of blueprints, read from git without touching the work tree."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from clusterprint.errors import UsageError
from clusterprint.git.entry import Entry
from clusterprint.git.repository import Repository, repository
from clusterprint.load.defaults import DEFAULTS


class Earlier(NamedTuple):
    """Paths as they were at a commit, in a temporary folder.

    `folder` stands for the `root` of the repository.
    """

    commit: str
    root: Path
    folder: Path
    paths: list[Path]


@contextmanager
def at_revision(revision: str, paths: Sequence[Path]) -> Iterator[Earlier]:
    """The same paths as they were at a revision of the repository around the current folder.

    Paths that were not there are left out. Raises UsageError if the current folder is in no git repository,
    if a path is outside of that repository, or if there is no such revision; EnvironmentFailure without git.
    """
    around = repository()
    if around is None:
        raise UsageError(
            f"the current folder is in no git repository, so there is no revision {revision!r} to read: "
            "run this in the repository of the blueprints"
        )
    inside = [around.inside(path) for path in paths]
    commit = around.commit(revision)
    if not commit:
        raise UsageError(f"there is no revision {revision!r} in {around.root}")
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as made:
        folder = Path(made).resolve()
        _lay(around, _wanted(around, commit, inside), folder)
        there = [folder / path for path in inside if (folder / path).exists()]
        yield Earlier(commit, around.root, folder, there)


def commit_of(revision: str) -> str:
    """The commit that a revision names in the repository around the current folder, or an empty text."""
    around = repository()
    return around.commit(revision) if around else ""


def read_at(revision: str, file: Path) -> bytes | None:
    """A file as it was at a revision; None if it was not there, or there is no repository or revision."""
    around = repository()
    commit = around.commit(revision) if around else ""
    if around is None or not commit:
        return None
    entries = around.entries(commit, around.inside(file))
    if not entries or not entries[-1].is_file:
        return None
    return next(content for _, content in around.blobs(entries[-1:]))


def _wanted(around: Repository, commit: str, paths: Sequence[PurePosixPath]) -> list[Entry]:
    """The files in the folders of the paths: blueprints, and the files that they name."""
    folders = dict.fromkeys(path.parent if path.suffix else path for path in paths)
    wanted: dict[PurePosixPath, Entry] = {}
    for folder in folders:
        for entry in around.entries(commit, folder):
            below = around.below(entry) if entry.is_folder else [entry]
            wanted.update((each.path, each) for each in below)
    # What blueprints have in common lies beside or above them.
    above = dict.fromkeys(each / DEFAULTS for folder in folders for each in (folder, *folder.parents))
    # A blueprint may be a link to a file elsewhere.
    links = [each.path for each in wanted.values() if each.is_link]
    for path in (*above, *links):
        wanted.update((each.path, each) for each in around.entries(commit, path))
    return [each for each in wanted.values() if each.is_file or each.is_link]


def _lay(around: Repository, entries: Sequence[Entry], folder: Path) -> None:
    """Write files and links. Links come last, so that no file is written through one.

    Links that lead out are left out; a blueprint that needs one is refused anyway.
    """
    for entry, content in around.blobs([each for each in entries if each.is_file]):
        file = folder / entry.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(0o755 if entry.is_program else 0o644)
    links = []
    for entry, target in around.blobs([each for each in entries if each.is_link]):
        link = folder / entry.path
        if (
            target
            and b"\0" not in target
            and not os.path.lexists(link)
            and _leads_inside(link.parent, folder)
        ):
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(os.fsdecode(target))
            links.append(link)
    # One link can decide where another leads, so all are looked at once all are there.
    for link in links:
        if not _leads_inside(link, folder):
            link.unlink()


def _leads_inside(link: Path, folder: Path) -> bool:
    try:
        return link.resolve().is_relative_to(folder)
    except (OSError, RuntimeError):  # a loop
        return False
