"""Shared by `up`, `down` and `outputs`: options, questions, messages."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import say
from clusterprint.cli.report import utf8
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.examine import Examined
from clusterprint.exit_codes import Code
from clusterprint.find import STDIN
from clusterprint.lifecycle.display import Display
from clusterprint.lifecycle.failures import Lock, TerraformFailed, by_failure, lock_in
from clusterprint.render.visible import visible
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.lifecycle.foreign import Foreign
    from clusterprint.lifecycle.session import Broken  # only for POSIX systems

SIMULATED = "Simulated: everything happens in a simulated cloud. No real resource is read or changed."
#: The file by which the folder of a simulated cloud is known.
CLOUD = "cloud/contents.sqlite"

SIMULATE = click.option(
    "--simulate",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    callback=lambda context, _option, folder: _with_its_locks(context, folder),
    help="Use a simulated cloud that lives in this folder between calls. Left out: the real clouds.",
)
YES = click.option("--yes", is_flag=True, help="Confirm everything that is shown, without being asked.")
LOG_DIR = click.option(
    "--log-dir",
    "logs",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for Terraform's output, one log file per stack.",
)
RELEASE = click.option(
    "--release-lock",
    "release",
    metavar="ID",
    default="",
    help="Release this lock of a state, left by a run that was killed. The error names it.",
)
DETAILED = click.option(
    "--detailed-exitcode", "detailed", is_flag=True, help="Exit with 7 if there was nothing to do."
)


def _with_its_locks(context: click.Context, folder: Path | None) -> Path | None:
    """The folder of a simulated cloud, in which capacity locks of its own count while the command runs."""
    if folder is not None:
        from clusterprint.wishes import lock  # nothing that a command in the real clouds has to load

        context.with_resource(lock.simulated(folder))
    return folder


def sound(paths: Sequence[Path]) -> Examined:
    """The blueprints, checked; exits with the diagnostics of errors."""
    insist_on_posix()
    if not paths:
        raise UsageError(
            "name a cluster, its blueprint or a folder of blueprints: what is created and destroyed is never "
            "guessed"
        )
    if STDIN in paths and not sys.stdin.isatty():
        raise UsageError(
            "with a blueprint from standard input there is no terminal to confirm: write it to a file"
        )
    return cluster_arguments.sound(paths, "nothing was changed: the blueprints have problems")


def insist_on_posix() -> None:
    """Refuse systems without POSIX signals and locks, which running Terraform needs."""
    if sys.platform == "win32":
        raise EnvironmentFailure("this command works on Linux and macOS only; on Windows, run it in WSL")


def display(*, quiet: bool = False) -> Display:
    """Progress goes to standard error; standard output is for reports and outputs."""
    return Display(utf8(sys.stderr), lambda text: None if quiet else say(text, err=True))


def lines_of(value: object) -> list[str]:
    """The value of an output, line by line."""
    if isinstance(value, Mapping):
        lines = [f"{key}: {each}" for key, each in value.items()]
    elif isinstance(value, list):
        lines = [str(each) for each in value]
    else:
        lines = [] if value is None else str(value).split("\n")
    return [visible(each) for each in lines]


def agreed(question: str, *, yes: bool) -> bool:
    """Whether the user confirms; without a terminal, prints how to."""
    if yes:
        return True
    if not sys.stdin.isatty():
        say("not applied: no terminal to confirm; pass --yes", err=True)
        return False
    try:
        return click.confirm(question, default=False, err=True)
    except click.Abort as ended:
        if isinstance(ended.__context__, KeyboardInterrupt):  # no answer, but the end of the command
            raise
        say("", err=True)
        return False


def tell_foreign(found: "Sequence[Foreign]", what: str) -> None:
    """Resources of others that block the deletion or would stay."""
    lines = [visible(f"  {each.what} {each.name} in {each.where}") for each in found]
    say("\n".join(["", f"{what}, and in no state:", *lines]))


def agreed_to_remove(found: "Sequence[Foreign]", *, given: bool, yes: bool) -> bool:
    """Whether the user confirms the removal of resources of others: `given` is for that alone."""
    tell_foreign(found, "Left by controllers or by people")
    if yes and not given:
        say(
            "that was not confirmed yet: add --remove-foreign to remove exactly what others have created",
            err=True,
        )
        return False
    return given or agreed("Remove exactly these?", yes=False)


def tell_broken(broken: "Sequence[Broken]", left_out: Sequence[str], again: str) -> None:
    """The failures by stack: Terraform's text, its meaning, and a fix.

    `again` is the command that continues, if there is one.
    """
    for each in broken:
        if not isinstance(each.failed, TerraformFailed):
            say("\n" + "\n".join(map(visible, f"[{each.stack}] {each.failed}".split("\n"))), err=True)
            continue
        for failure, errors in by_failure(each.failed.errors).items():
            say(f"\n[{each.stack}] {each.failed.step} failed: {failure.name}", err=True)
            for error in errors:
                say("\n".join(f"  | {visible(line)}" for line in error.splitlines()), err=True)
            locks = [lock for error in errors if (lock := lock_in(error))]
            for text in (failure.meaning, *map(_about_lock, locks[:1]), failure.help):
                if text:
                    say(f"  {visible(text)}", err=True)
    if left_out:
        say(f"\nnot started, as they need what failed: {', '.join(left_out)}", err=True)
    if broken and again:
        say(
            f"\nfailed in {counted(len(broken), 'stack')}; what exists is in the state, and {again} goes on "
            "from there",
            err=True,
        )


def _about_lock(lock: Lock) -> str:
    operation, who = lock.operation or "an operation", lock.who or "somebody"
    return f"Lock {lock.id}: {operation} of {who}, since {lock.created or 'an unknown time'}."


def finish(code: Code, *, detailed: bool) -> None:
    """Exit; only with --detailed-exitcode does the code say that there was nothing to do."""
    sys.exit(Code.DONE if code is Code.NOTHING_TO_DO and not detailed else code)
