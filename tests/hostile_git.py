"""Repositories that try to have something run by whoever reads them. What runs leaves a file behind."""

import os
import stat
from pathlib import Path

from pull_request import git


def trap(folder: Path) -> tuple[Path, str]:
    """A program, as a line of configuration names it, and the file that it makes when somebody runs it."""
    hit, program = folder / "hit", folder / "trap"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> "{hit}"\ncat\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return hit, str(program)


def settings(program: str) -> dict[str, str]:
    """Every setting by which a repository can name a program that reading it might start."""
    return {
        "filter.x.smudge": program,
        "filter.x.clean": program,
        "filter.x.process": program,
        "diff.x.textconv": program,
        "diff.x.command": program,
        "diff.external": program,
        "core.fsmonitor": program,
        "core.pager": program,
        "core.editor": program,
        "core.askPass": program,
        "core.sshCommand": program,
        "core.alternateRefsCommand": program,
        "credential.helper": program,
        "uploadpack.packObjectsHook": program,
        "remote.origin.uploadpack": program,
        "alias.rev-parse": f"!{program}",
        "alias.cat-file": f"!{program}",
    }


def arm(repository: Path, program: str) -> None:
    """Fill the configuration, the hooks and the attributes of a checkout with programs."""
    for name, value in settings(program).items():
        git(repository, "config", name, value)
    inside = repository / ".git"
    (inside / "info" / "attributes").write_text("* filter=x diff=x export-subst\n")
    (inside / "hooks").mkdir(exist_ok=True)
    for hook in (
        "reference-transaction",
        "post-checkout",
        "post-index-change",
        "pre-auto-gc",
        "fsmonitor-watchman",
    ):
        (inside / "hooks" / hook).symlink_to(program)


def bare_inside(folder: Path, program: str, objects: Path) -> None:
    """Make a folder of blueprints a bare repository too, with nothing that a commit cannot hold.

    Its objects are those of the repository that it lies in, so that revisions mean something in it.
    """
    for name in ("objects/info", "refs/heads", "info"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "refs/heads/keep").write_text("")  # git keeps no empty folders
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "objects/info/alternates").write_text(f"{os.path.relpath(objects, folder / 'objects')}\n")
    (folder / "info/attributes").write_text("* filter=x diff=x\n")
    (folder / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
    for name, value in settings(program).items():
        git(folder, "config", "--file", str(folder / "config"), name, value)
