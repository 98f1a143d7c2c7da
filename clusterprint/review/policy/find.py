"""The policies that judge a change: from the folders of its blueprints up to the repository's root.

They are read from the base: a change that could bring its own policy would be judged by nobody. All of them
apply, each to the clusters below its folder, and none can take back what another one says.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic
from clusterprint.errors import UsageError
from clusterprint.find import DEFAULT, POLICY
from clusterprint.load.codes import NOT_A_FILE
from clusterprint.load.problem import Problem
from clusterprint.review.policy.read import ReadPolicy, read_file, read_text
from clusterprint.review.side import WORK_TREE, is_folder
from clusterprint.revision import at_revision, read_at


class Judging(NamedTuple):
    """A policy, and the folder whose clusters it judges; None for all clusters."""

    read: ReadPolicy
    folder: Path | None = None

    def is_about(self, files: Sequence[str]) -> bool:
        """Whether it judges a cluster of these blueprints; one whose blueprints are not known, always."""
        folder = self.folder
        return folder is None or not files or any(_absolute(file).is_relative_to(folder) for file in files)


class Policies(NamedTuple):
    """The policies for a change, the farthest first.

    `version` says where they were read, `changed` which ones the change itself touches, in a sentence each.
    `named` is the one that was asked for, if one was. `diagnostics` are the mistakes in all of them.
    """

    judging: tuple[Judging, ...] = ()
    version: str = ""
    changed: tuple[str, ...] = ()
    named: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


def named_policy(file: Path) -> Policies:
    """The policy that was asked for, and no other. Raises UsageError if there is no such file."""
    if not file.is_file():
        raise UsageError(f"there is no policy {file}")
    read = read_file(file, str(file))
    return Policies((Judging(read),), WORK_TREE, named=str(file), diagnostics=read.diagnostics)


def standing_policies(blueprints: Iterable[str]) -> Policies:
    """The policies of some blueprints as they lie in the work tree: those beside them and above."""
    folders = dict.fromkeys(Path(file).parent for file in blueprints)
    ways = sorted({each for folder in folders for each in _way_up(folder)}, key=_depth)
    found = {folder: _read_at(None, folder) for folder in ways}
    return _policies(found, found, WORK_TREE)


def find_policies(
    base: str | None, head: str | None, paths: Sequence[Path], blueprints: Iterable[str]
) -> Policies:
    """The policies for some paths and for the blueprints that were found there, as reports name them.

    Without a base (only Terraform plans are reviewed) they are those here and above.
    """
    if base is None:
        found = {folder: _read_at(None, folder) for folder in _way_up(Path())}
        return _policies(found, {}, WORK_TREE)
    named = [path if path.is_dir() else path.parent for path in paths] or [DEFAULT]
    folders = dict.fromkeys([*named, *(Path(file).parent for file in blueprints)])
    # In folders that stand for versions, blueprints are named as if the folder were the current one.
    top = Path.cwd() if is_folder(base) else None
    ways = sorted({each for folder in folders for each in _way_up(folder, top)}, key=_depth)
    return _policies(
        {folder: _read_at(base, folder) for folder in ways},
        {folder: _read_at(head, folder) for folder in ways},
        base,
    )


Found = dict[Path, ReadPolicy | None]


def _policies(before: Found, after: Found, version: str) -> Policies:
    judging = tuple(Judging(each, folder) for folder, each in before.items() if each)
    changed = {folder: new for folder, new in after.items() if _text(before[folder]) != _text(new)}
    # A mistake in a new policy is found before it counts; one in the old one keeps it from judging.
    reads = [*(each.read for each in judging), *(new for new in changed.values() if new)]
    return Policies(
        judging,
        version,
        tuple(_sentence(folder, before[folder], new) for folder, new in changed.items()),
        diagnostics=tuple(dict.fromkeys(found for read in reads for found in read.diagnostics)),
    )


def _text(read: ReadPolicy | None) -> str | None:
    if read is None:
        return None
    return read.document.text if read.document else repr(read.diagnostics)


def _sentence(folder: Path, before: ReadPolicy | None, after: ReadPolicy | None) -> str:
    file = _shown(folder)
    if before is None:
        return f"The change adds {file}: it judges from the next change on, and not this one."
    if after is None:
        return f"The change removes {file}; it is judged by the earlier version of it."
    return f"The change also changes {file}; it is judged by the earlier version of it."


# ---- folders, as absolute paths that need not exist


def _absolute(name: str | Path) -> Path:
    return Path(os.path.abspath(name))  # noqa: PTH100 - links stay as they are named


def _shown(folder: Path) -> str:
    return Path(os.path.relpath(folder / POLICY)).as_posix()


def _depth(folder: Path) -> tuple[int, Path]:
    return len(folder.parts), folder


def _way_up(folder: Path, top: Path | None = None) -> Iterator[Path]:
    """A folder and those above it up to `top`, or to the root of the repository; outside of one, itself."""
    folder = _absolute(folder)
    above = [folder, *folder.parents]
    top = top or next((each for each in above if (each / ".git").exists()), None)
    yield from (each for each in above if each == folder or (top and each.is_relative_to(top)))


# ---- versions


def _read_at(version: str | None, folder: Path) -> ReadPolicy | None:
    """The policy of a folder in a version: a revision, a folder, or (None) the work tree."""
    shown = _shown(folder)
    if version is None:
        return _read_here(folder / POLICY, shown)
    if is_folder(version):
        return _read_here(Path(version) / shown, shown)
    raw = _bytes_at(version, folder)
    return None if raw is None else read_text(raw, shown)


def _read_here(file: Path, shown: str) -> ReadPolicy | None:
    """A policy that is no ordinary file is not read, and is reported."""
    if file.is_symlink():
        # It may lead out of the repository, and a report would quote what is there.
        refused = Problem(NOT_A_FILE, "this is a link, not a file", help="put the policy itself here")
        return ReadPolicy(shown, None, None, (refused.diagnostic(shown),))
    return read_file(file, shown) if file.exists() else None


def _bytes_at(revision: str, folder: Path) -> bytes | None:
    if folder.is_symlink() and not (folder / ".git").exists():
        # Followed, it would hide the policy that was there when it was a folder.
        raise UsageError(f"{os.path.relpath(folder)} is a link: name the folder that it leads to")
    file = folder / POLICY
    if folder.is_dir() and not file.is_symlink():
        return read_at(revision, file)
    # The folder is gone today, or a link stands where the policy was: what it leads to is not asked for.
    with at_revision(revision, [folder]) as earlier:
        files = [path / POLICY for path in earlier.paths if (path / POLICY).is_file()]
        return files[0].read_bytes() if files else None
