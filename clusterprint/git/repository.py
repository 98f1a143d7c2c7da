"""The git repository around the current folder: what its commits hold, and for CI what merging them makes.

It is never one that a path leads to: a commit can hold a whole bare repository, configuration and all, below
an innocent name.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.git.entry import BLOB, TREE, Entry, entries_in
from clusterprint.git.process import opened, run, said

# A commit has an author; this one is seen by nobody.
_NOBODY = {
    f"GIT_{role}_{what}": "clusterprint" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}

_MOST_LINKS = 20


class Repository(NamedTuple):
    """The git repository around the current folder."""

    root: Path

    def inside(self, path: Path) -> PurePosixPath:
        """A path as the repository knows it, from the root; links stay, since they may differ by commit.

        Raises UsageError for a path that is, or leads, outside of the repository, and for one in another
        repository inside this one.
        """
        absolute, leads_to = Path(os.path.normpath(Path.cwd() / path)), _resolved(path)
        if not absolute.is_relative_to(self.root):
            absolute = leads_to  # the same place by another name
        for place in (absolute, leads_to):
            if not place.is_relative_to(self.root):
                raise UsageError(
                    f"{path} is outside of the git repository {self.root} that the current folder belongs "
                    "to, so it has no earlier version there: run this in the repository of the blueprints"
                )
        inside = absolute.relative_to(self.root)
        for folder in (inside, *inside.parents):
            if folder != Path() and os.path.lexists(self.root / folder / ".git"):
                raise UsageError(
                    f"{path} belongs to another git repository, {self.root / folder}: run this in that folder"
                )
        return PurePosixPath(inside.as_posix())

    def commit(self, revision: str) -> str:
        """The commit that a revision names; empty if there is none."""
        return self._text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")

    def merge_base(self, first: str, second: str) -> str:
        """Where two commits part; empty if they have nothing in common, or it is not known here."""
        return self._text("merge-base", "--end-of-options", first, second)

    def entries(self, commit: str, path: PurePosixPath) -> list[Entry]:
        """The entries on the way to a path of a commit: links, and last the file or folder, if it exists.

        Links are followed inside of the commit only.
        """
        found: list[Entry] = []
        here, rest = PurePosixPath(), list(path.parts)
        entry = Entry(here, "040000", TREE, commit)
        while rest:
            name = rest.pop(0)
            here = PurePosixPath(os.path.normpath(here / name))
            if ".." in here.parts or here.is_absolute():
                return found
            if name == ".." or here == PurePosixPath():
                # Only the target of a link goes up; what is there is looked up again from the root.
                rest, here = [*here.parts, *rest], PurePosixPath()
                entry = Entry(here, "040000", TREE, commit)
                continue
            entries = self._level(entry.id) if entry.is_folder else {}
            if name not in entries:
                return found
            entry = entries[name]._replace(path=here)
            if entry.is_link:
                found.append(entry)
                if len(found) > _MOST_LINKS:
                    return found
                target = os.fsdecode(b"".join(text for _, text in self.blobs([entry])))
                rest, here = [*here.parent.parts, *PurePosixPath(target).parts, *rest], PurePosixPath()
                entry = Entry(here, "040000", TREE, commit)
        return [*found, entry]

    def below(self, folder: Entry) -> list[Entry]:
        """Every file and link below a folder, however deep."""
        listed = self._checked("ls-tree", "-r", "-z", "--full-tree", folder.id)
        return [each._replace(path=folder.path / each.path) for each in entries_in(listed)]

    def _level(self, tree: str) -> dict[str, Entry]:
        return {
            each.path.name: each for each in entries_in(self._checked("ls-tree", "-z", "--full-tree", tree))
        }

    def blobs(self, entries: Sequence[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The content of files and links, as it was committed: no filter, no conversion of line ends."""
        with tempfile.TemporaryFile() as wanted:
            wanted.writelines(f"{each.id}\n".encode() for each in entries)
            wanted.seek(0)
            with opened(self.root, ["cat-file", "--batch"], wanted) as process:
                stream = process.stdout
                if stream is None:
                    return
                for entry in entries:
                    head = stream.readline().split()
                    if len(head) != 3 or head[1] != BLOB.encode():  # noqa: PLR2004 - id, sort and size
                        raise EnvironmentFailure(
                            f"git has no content of {entry.path} ({entry.id[:12]}) in {self.root}: the clone "
                            "is partial or damaged, and nothing is fetched here; clone it completely"
                        )
                    content = stream.read(int(head[2]))
                    stream.read(1)
                    yield entry, content

    def fetch(self, commit: str, header: tuple[str, str] | None, *, whole: bool = False) -> bool:
        """Fetch one commit, or the `whole` history of it, from `origin`, for CI; whether that worked.

        `header` is the setting that git sends a token by, as a name and a value.
        """
        # The token travels in the environment, not among the arguments that every process can list.
        more = {"GIT_ALLOW_PROTOCOL": "https:http:file"}
        if header:
            count = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
            more |= {
                "GIT_CONFIG_COUNT": str(count + 1),
                f"GIT_CONFIG_KEY_{count}": header[0],
                f"GIT_CONFIG_VALUE_{count}": header[1],
            }
        options = (
            "--quiet",
            "--no-tags",
            *(() if whole else ("--depth=1",)),
            "--no-recurse-submodules",
            "--upload-pack=git-upload-pack",
        )
        return run(self.root, ["fetch", *options, "origin", commit], more).returncode == 0

    def merged(self, into: str, other: str) -> str:
        """The commit from merging one commit into another, on no branch; empty if they conflict.

        A driver of a merge has to be configured, which no commit can do.
        """
        done = run(self.root, ["merge-tree", "--write-tree", "--no-messages", into, other])
        if done.returncode == 1:
            return ""
        if done.returncode:
            raise EnvironmentFailure(f"git cannot merge in {self.root}: {said(done)}")
        tree = os.fsdecode(done.stdout).strip()
        made = run(self.root, ["commit-tree", tree, "-p", into, "-m", "merged"], _NOBODY)
        if made.returncode:
            raise EnvironmentFailure(f"git cannot write to {self.root}: {said(made)}")
        return os.fsdecode(made.stdout).strip()

    def _text(self, *arguments: str) -> str:
        """The output of git, or an empty text if it fails."""
        done = run(self.root, arguments)
        return os.fsdecode(done.stdout).strip() if done.returncode == 0 else ""

    def _checked(self, *arguments: str) -> bytes:
        done = run(self.root, arguments)
        if done.returncode:
            raise EnvironmentFailure(f"git cannot read {self.root}: {said(done)}")
        return done.stdout


def repository() -> Repository | None:
    """The repository around the current folder, None if there is none.

    Raises EnvironmentFailure without git, and if git does not trust the repository or cannot read it.
    """
    here = Path.cwd()
    # `.git` is the one name that no commit can hold.
    root = next((each for each in (here, *here.parents) if os.path.lexists(each / ".git")), None)
    if root is None:
        return None
    done = run(root, ["rev-parse", "--absolute-git-dir"])
    if done.returncode:
        raise EnvironmentFailure(f"git does not read the repository {root}: {said(done)}")
    if Path(os.fsdecode(done.stdout).strip()).resolve() == root:
        # What git takes when `.git` is broken: for versions that do not know safe.bareRepository.
        raise EnvironmentFailure(f"{root}/.git is not a git repository")
    return Repository(root)


def _resolved(path: Path) -> Path:
    """Where a path leads. Raises UsageError for links in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path} leads nowhere: {error}") from error
