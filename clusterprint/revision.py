"""An earlier version of blueprints, read from git without touching the work tree."""

import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from clusterprint.errors import EnvironmentFailure, UsageError


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
    """The same paths as they were at a revision.

    Paths that were not there are left out. Raises UsageError if a path is in no git repository, if paths are
    in several, or if there is no such revision; EnvironmentFailure without git.
    """
    root = _root_of(paths)
    commit = commit_of(revision, root)
    if not commit:
        raise UsageError(f"there is no revision {revision!r} in {root}")
    inside = [path.resolve().relative_to(root) for path in paths]
    archive = _archive(root, commit, inside)
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        with tarfile.open(fileobj=BytesIO(archive)) as tar:
            tar.extractall(  # noqa: S202 - every member passes the filter
                folder, members=_wanted(tar, inside), filter=_safe
            )
        there = [Path(folder) / path for path in inside if (Path(folder) / path).exists()]
        yield Earlier(commit, root, Path(folder), there)


def commit_of(revision: str, folder: Path) -> str:
    """The commit that a revision names in the repository around a folder; empty if there is none."""
    return _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")


def read_at(revision: str, file: Path) -> bytes | None:
    """A file as it was at a revision; None if it was not there, or there is no repository around it."""
    root = _git(file.parent, "rev-parse", "--show-toplevel")
    commit = commit_of(revision, file.parent) if root else ""
    if not commit:
        return None
    inside = file.resolve().relative_to(Path(root).resolve())
    done = _run(Path(root), "cat-file", "blob", f"{commit}:{inside.as_posix()}")
    return done.stdout if done.returncode == 0 else None


def _archive(root: Path, commit: str, paths: Sequence[Path]) -> bytes:
    """The folders of the paths as they were, not the whole repository; empty if there were none."""
    there = [
        each
        for each in _folders(paths)
        if _git(root, "cat-file", "-t", f"{commit}:{_in_git(each)}") == "tree"
    ]
    if not there:
        stream = BytesIO()
        tarfile.open(fileobj=stream, mode="w").close()
        return stream.getvalue()
    done = _run(
        root, "archive", "--format=tar", commit, "--", *(f":(literal){each.as_posix()}" for each in there)
    )
    if done.returncode:
        raise EnvironmentFailure(
            f"git cannot read {commit}: {done.stderr.decode('utf-8', 'replace').strip()}"
        )
    return done.stdout


def _in_git(folder: Path) -> str:
    """A folder as git names it; the root has an empty name."""
    return "" if folder == Path() else folder.as_posix()


def _folders(paths: Sequence[Path]) -> list[Path]:
    """Where blueprints lie, and the files that they carry."""
    return list(dict.fromkeys(path.parent if path.suffix else path for path in paths))


def _wanted(tar: tarfile.TarFile, paths: Sequence[Path]) -> Iterator[tarfile.TarInfo]:
    """What lies in the folders of the paths: blueprints, and the files that they carry."""
    folders = _folders(paths)
    for member in tar:
        if any(Path(member.name).is_relative_to(folder) for folder in folders):
            yield member


def _safe(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
    """Leave out links that lead out of the repository; a blueprint that needs one is refused anyway."""
    try:
        return tarfile.data_filter(member, folder)
    except tarfile.FilterError:
        return None


def _root_of(paths: Sequence[Path]) -> Path:
    roots = set()
    for path in paths:
        # What is gone today may have been there.
        place = next(each for each in (path, *path.parents, Path()) if each.is_dir())
        root = _git(place, "rev-parse", "--show-toplevel")
        if not root:
            raise UsageError(f"{path} is in no git repository, so it has no earlier version")
        roots.add(Path(root).resolve())
    if len(roots) > 1:
        raise UsageError("the paths are in several git repositories: name those of one at a time")
    return roots.pop()


def _git(folder: Path, *arguments: str) -> str:
    """What git prints, or an empty text if it fails."""
    done = _run(folder, *arguments)
    return done.stdout.decode("utf-8", "surrogateescape").strip() if done.returncode == 0 else ""


def _run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    try:
        # A list of arguments, no shell, and nothing of the user's where git would read an option.
        return subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        raise EnvironmentFailure("git is not installed, and earlier versions are read with it") from None
