"""Arguments that name clusters: by names, files or folders, with the option --in."""

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path

import click

from clusterprint.cli.completion import blueprints
from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.examine import Examined, examine
from clusterprint.find import NothingFound

Command = Callable[..., None]

AMONG = click.option(
    "--in",
    "among",
    multiple=True,
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True),
    help="Folder of blueprints, or a blueprint, in which names are looked up. Left out: blueprints/.",
)
#: One cluster, and what of it.
TARGET = click.argument("target", metavar="CLUSTER[/PART]", shell_complete=blueprints)


def one(command: Command) -> Command:
    """Add the argument CLUSTER and --in to a command, which gets the file as `blueprint`."""

    @wraps(command)
    def resolved(*, blueprint: Path, among: tuple[Path, ...], **options: object) -> None:
        command(blueprint=_files([blueprint], among)[0], **options)

    argument = click.argument(
        "blueprint", metavar="CLUSTER", type=click.Path(path_type=Path), shell_complete=blueprints
    )
    return argument(AMONG(resolved))


def some(command: Command) -> Command:
    """Add the arguments CLUSTER... and --in to a command, which gets the files and folders as `paths`."""
    return _several(command, "CLUSTER...", default=False)


def perhaps(command: Command) -> Command:
    """As `some`, of a command that does something else if no cluster is named."""
    return _several(command, "[CLUSTER]...", default=False)


def any_of(command: Command) -> Command:
    """As `some`, of a command that is about all blueprints of a folder if no cluster is named."""
    return _several(command, "[CLUSTER]...", default=True)


def either_of(command: Command) -> Command:
    """As `any_of`, of a command for which a folder may also be one that was removed since."""
    return _several(command, "[CLUSTER]...", default=True, removed=True)


def _several(command: Command, metavar: str, *, default: bool, removed: bool = False) -> Command:
    @wraps(command)
    def resolved(*, paths: tuple[Path, ...], among: tuple[Path, ...], **options: object) -> None:
        command(paths=_files(paths, among, removed=removed) or (among if default else ()), **options)

    argument = click.argument(
        "paths", nargs=-1, metavar=metavar, type=click.Path(path_type=Path), shell_complete=blueprints
    )
    return argument(AMONG(resolved))


def _files(paths: Sequence[Path], among: Sequence[Path], *, removed: bool = False) -> tuple[Path, ...]:
    from clusterprint.access.target import file_of

    found = []
    for each in paths:
        try:
            found.append(file_of(each, among))
        except NothingFound:
            if not removed:
                raise
            found.append(each)
    return tuple(found)


def sound(paths: Sequence[Path], otherwise: str = "", *, strict: bool = False) -> Examined:
    """The blueprints, checked; exits with the diagnostics of errors, and the text `otherwise`."""
    return insist_on_sound(examine(paths), otherwise, strict=strict)


def insist_on_sound(
    examined: Examined, otherwise: str = "", *, strict: bool = False, warn: bool = True
) -> Examined:
    """The same blueprints; exits as `sound` does. `warn`: print warnings also where there are no errors."""
    code = exit_code(examined, strict=strict)
    if code or (warn and examined.diagnostics):
        print_report(examined, "text", utf8(sys.stderr))
    if code:
        if otherwise:
            say(otherwise, err=True)
        sys.exit(code)
    return examined
