"""A repository of blueprints with a pull request, as a forge and a checkout see it."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

_PERSON = {
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    """Run git; what it prints."""
    done = subprocess.run(
        ["git", "-C", folder, *arguments],
        env={**os.environ, **_PERSON},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"git {' '.join(arguments)}: {done.stderr}"
    return done.stdout.strip()


class Repository:
    """The forge's side: a main branch, and what a pull request would make of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet", "--initial-branch=main")
        git(folder, "commit", "--quiet", "--allow-empty", "--message=begin")
        git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")

    def commit(self, files: dict[str, str | None]) -> str:
        """Commit files to the branch that is checked out, None removes one; the commit."""
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        git(self.folder, "add", "--all")
        git(self.folder, "commit", "--quiet", "--allow-empty", "--message=change")
        return git(self.folder, "rev-parse", "HEAD")

    def propose(self, files: dict[str, str | None], branch: str = "change") -> None:
        """Commit to a branch that comes off main, or goes on if it is there; update the merge commit."""
        known = git(self.folder, "branch", "--list", branch)
        git(self.folder, "checkout", "--quiet", *([] if known else ["-b"]), branch)
        self.commit(files)
        self._merge(branch)

    def _merge(self, branch: str) -> None:
        """The commit at refs/pull/7/merge."""
        git(self.folder, "checkout", "--quiet", "--detach", "main")
        git(self.folder, "merge", "--quiet", "--no-ff", "--message=merge", branch)
        git(self.folder, "update-ref", "refs/pull/7/merge", "HEAD")
        git(self.folder, "checkout", "--quiet", "main")

    def advance(self, files: dict[str, str | None], branch: str = "change") -> None:
        """Somebody else's change reaches main."""
        git(self.folder, "checkout", "--quiet", "main")
        self.commit(files)
        self._merge(branch)

    def checkout(self, folder: Path, ref: str = "refs/pull/7/merge", depth: int = 2) -> Path:
        """The clone of actions/checkout: few commits, no branch checked out."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet", "--initial-branch=none")
        git(folder, "remote", "add", "origin", self.folder.as_uri())
        git(folder, "fetch", "--quiet", "--no-tags", f"--depth={depth}", "origin", ref)
        git(folder, "checkout", "--quiet", "--detach", "FETCH_HEAD")
        return folder

    def event(self, branch: str = "change", **more: Any) -> dict[str, Any]:
        """The forge's data about the pull request."""
        names = {"repo": {"full_name": "team/clusters"}}
        return {
            "pull_request": {
                "number": 7,
                "base": {"sha": git(self.folder, "rev-parse", "main"), "ref": "main", **names},
                "head": {"sha": git(self.folder, "rev-parse", branch), "ref": branch, **names},
                "labels": [],
                **more,
            }
        }
