"""`clusterprint lint`: check blueprints, and apply fixes that are unambiguous."""

import sys
from pathlib import Path

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.fmt import write
from clusterprint.cli.output import say
from clusterprint.cli.report import FORMAT, exit_code, print_report, utf8
from clusterprint.diagnostic import Diagnostic
from clusterprint.errors import UsageError
from clusterprint.examine import examine, read_all
from clusterprint.find import STDIN
from clusterprint.masking import mask
from clusterprint.words import counted


@click.command("lint")
@cluster_arguments.any_of
@click.option("--fix", is_flag=True, help="Fix what can be fixed in the files, and report the rest.")
@FORMAT
@click.option("--strict", is_flag=True, help="Treat warnings as problems.")
def lint(paths: tuple[Path, ...], fix: bool, form: str, strict: bool) -> None:  # noqa: FBT001 - click passes options
    """Check blueprints, and fix what is clear.

    Checks like `validate`; with --fix, applies fixes that are unambiguous. CLUSTER is a name, a blueprint's
    file, or a folder of blueprints, or `-` for standard input; the default is blueprints/. With --fix,
    problems with only one possible fix are fixed: misspelled keys, words and names, numbers in quotes,
    settings that do nothing, comments that ignore nothing. Each edit is tried first, and kept if the problem
    is gone and no new one appears. Nothing else in the file changes. Exit code 1 if there is a problem left.
    """
    if fix:
        _fix(paths)
    examined = examine(paths)
    print_report(examined, form, utf8(sys.stdout))
    left = sum(each.instead is not None for each in examined.diagnostics)
    if left and not fix and form == "text":
        say(f"`clusterprint lint --fix` would try to fix {counted(left, 'problem')}", err=True)
    sys.exit(exit_code(examined, strict=strict))


def _fix(paths: tuple[Path, ...]) -> None:
    from clusterprint.fixes import fix  # takes what validate takes, again and again

    if STDIN in paths:
        raise UsageError("standard input cannot be fixed: give the file by its name")
    for each in read_all(paths):
        if each.loaded.document is None:
            continue
        fixed = fix(each.loaded.text, each.name, each.file, each.root)
        if fixed.done:
            write(each.file, fixed.text)
        for problem in fixed.done:
            say(_told(problem), err=True)


def _told(problem: Diagnostic) -> str:
    line = f":{problem.place.span.line}" if problem.place.span else ""
    lines = (problem.instead or "").split("\n")
    said = f"wrote {' and '.join(map(str.strip, lines))}" if problem.instead else "removed"
    if problem.removes:
        said = f"removed {problem.removes}"
    elif problem.over:
        said = f"rewrote lines {problem.over.line} to {problem.over.end_line}"
    return mask(f"{problem.place.file}{line}: {said} [{problem.code}] {problem.message}")
