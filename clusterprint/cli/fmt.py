"""`clusterprint fmt`: blueprints in one layout."""

import stat
import sys
from pathlib import Path

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import inert, say
from clusterprint.cli.report import print_report, utf8
from clusterprint.errors import UsageError
from clusterprint.examine import Examined, Read, read_all
from clusterprint.files import atomic
from clusterprint.files.inside import is_handle
from clusterprint.find import STDIN
from clusterprint.fmt import layout
from clusterprint.masking import mask
from clusterprint.render.visible import visible
from clusterprint.words import counted


@click.command("fmt")
@cluster_arguments.any_of
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 if a file is not formatted.")
def fmt(paths: tuple[Path, ...], check: bool) -> None:  # noqa: FBT001 - click passes options
    """Format blueprints.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints, or `-` for standard input, which is
    formatted to standard output; the default is blueprints/. Only whitespace is changed: indentation, space
    between words, empty lines. Comments, quotes, the order of keys and what a blueprint means stay as they
    are. A file that cannot be read as a blueprint is reported and left alone. Exit code 1 if there is one.
    """
    found = read_all(paths)
    diagnostics = [problem for each in found for problem in each.loaded.diagnostics]
    if diagnostics:
        sources = {each.name: each.source for each in found}
        print_report(Examined([], diagnostics, sources, len(found)), "text", utf8(sys.stderr))
    changed = 0
    for each in found:
        made = layout(each.loaded)
        if each.file == STDIN and not check:
            _print(each, made)
        elif made != each.loaded.text:
            changed += 1
            if not check:
                write(each.file, made)
            say(f"{'would change' if check else 'changed'} {visible(each.name)}", err=each.file == STDIN)
    said = f"{counted(len(found), 'blueprint')} checked, {changed} {'to change' if check else 'changed'}"
    say(said, err=True)
    sys.exit(1 if diagnostics or (check and changed) else 0)


def _print(read: Read, made: str) -> None:
    """Print what was read from standard input; nothing of a file that cannot be laid out."""
    if read.loaded.diagnostics:
        return
    if mask(made) != made or read.source != read.loaded.text:
        raise UsageError(
            "this blueprint has what looks like a secret, which is never printed: give the file by its name"
        )
    if inert(made) != made:
        raise UsageError(
            "this blueprint has a command to the runner of GitHub or a control character, which are never "
            "printed: give the file by its name"
        )
    say(made, nl=False)


def write(file: Path, text: str) -> None:
    """Write a blueprint in place of the one that was read, where it really is. Raises OSError."""
    if is_handle(file):
        raise UsageError(f"{file} cannot be written to: give the file by its name, or `-`")
    real = file.resolve(strict=True)
    atomic.write(text.encode(), real, stat.S_IMODE(real.stat().st_mode))
