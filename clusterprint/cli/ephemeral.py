"""`up --ephemeral`: a cluster that is destroyed when the command ends."""

import re
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, NamedTuple

import click

from clusterprint.cli import lifecycle, process_end
from clusterprint.cli.output import say
from clusterprint.derived import durations
from clusterprint.errors import ClusterprintError, UsageError
from clusterprint.exit_codes import Code
from clusterprint.lifecycle.display import Display
from clusterprint.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterprint.examine import Examined
    from clusterprint.lifecycle import ephemeral, up
    from clusterprint.lifecycle.stack import Stack

_DURATION = re.compile(r"[1-9][0-9]{0,5}[smhd]")


def limit(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """The seconds of a duration, as the callback of an option."""
    if value is None:
        return None
    if not _DURATION.fullmatch(value):
        raise click.BadParameter(
            f"{value!r} is not a duration such as 90s, 30m, 8h or 2d", ctx=context, param=parameter
        )
    return durations.seconds(value)


@contextmanager
def kept_here(stacks: "Sequence[Stack]", simulate: Path | None) -> "Iterator[list[Stack]]":
    """The stacks with their states on this machine, out of the reach of other runs."""
    from clusterprint.lifecycle import local_state
    from clusterprint.lifecycle.world import home_of

    made = local_state.keep_here(stacks, home_of(simulate) / "ephemeral")
    with local_state.held(made):
        yield made


class Asked(NamedTuple):
    """The request: blueprints, cloud, time to live, and earlier confirmations."""

    paths: Sequence[Path]
    simulate: Path | None
    logs: Path | None
    seconds: int | None
    remove_foreign: bool
    yes: bool


def check_together(*, ephemeral: bool, needing: bool, excluded: bool) -> None:
    """Raises UsageError for options without effect unless --ephemeral is given, or excluded by it."""
    if needing and not ephemeral:
        raise UsageError("--for and --remove-foreign need --ephemeral, which was not given")
    if excluded and ephemeral:
        raise UsageError(
            "--ephemeral destroys all that is in its state, which is on this machine: it excludes "
            "--adopt, --build-images, --plan-only and --release-lock"
        )


def live(examined: "Examined", asked: Asked, consent: "up.Consent") -> Code:
    """Create clusters, keep them up, and destroy them; the exit code."""
    from clusterprint.lifecycle import ephemeral, local_state
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.skeleton import skeletons
    from clusterprint.lifecycle.stack import synthesized

    process_end.go_on_unheard()
    display = lifecycle.display()
    with synthesized(examined) as made, kept_here(made, asked.simulate) as full, skeletons(full) as bare:
        local_state.refuse_undeletable(full)
        with session([*full, *bare], asked.simulate, display, asked.logs) as opened:
            if opened.world.simulated:
                display.line(lifecycle.SIMULATED)
            display.line(_begin(full))
            agreed = ephemeral.Consent(
                consent,
                lambda found: lifecycle.agreed_to_remove(found, given=asked.remove_foreign, yes=asked.yes),
                lambda ended: _standing(examined, ended, asked, display),
                lambda: display.line("destroying everything that was created; a second signal stops at once"),
            )
            lived = ephemeral.live(ephemeral.Stacks(full, bare), opened, agreed, seconds=asked.seconds)
            return _finish(lived, _again(asked), opened.processes.told)


def _begin(stacks: "Sequence[Stack]") -> str:
    return (
        "Ephemeral: everything that is created now is destroyed when this command ends, with all data in it. "
        f"The state is on this machine only: {', '.join(each.state.address for each in stacks)}"
    )


def _standing(examined: "Examined", ended: "up.Ended", asked: Asked, display: Display) -> None:
    from clusterprint.cli.what_next import what_next

    ways = what_next(examined.results, ended.outputs, ended.reports, simulate=asked.simulate)
    say("\n".join(["", "The cluster is up. What next:", *ways]))
    until = "" if asked.seconds is None else f"until {_clock(time.time() + asked.seconds)}, or "
    display.line(f"The cluster stays up {until}until Ctrl-C or SIGTERM; then it is destroyed")


def _clock(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(seconds))


def _again(asked: Asked) -> str:
    where = ["--simulate", str(asked.simulate)] if asked.simulate is not None else []
    return join(["clusterprint", "down", "--ephemeral", "--include-data", *map(str, asked.paths), *where])


def _finish(lived: "ephemeral.Lived", again: str, told: int) -> Code:
    """Print the failures and what is left; the exit code. Raises other exceptions than failed steps."""
    from clusterprint.lifecycle.processes import Interrupted

    made = lived.made
    if made is not None:
        lifecycle.tell_broken(made.broken, made.left_out, "")
    lifecycle.tell_broken([each for each in lived.broken if not isinstance(each, ClusterprintError)], (), "")
    for failed in (each for each in lived.broken if isinstance(each, ClusterprintError)):
        say(f"\nnot destroyed: {failed}", err=True)
    _tell_left(lived.left, again)
    if lived.failed is not None and not isinstance(lived.failed, Interrupted):
        raise lived.failed
    if told:
        return Code(128 + told)
    if lived.left or lived.broken:
        return Code.FAILED
    if isinstance(lived.failed, Interrupted):
        return Code(lived.failed.exit_code)
    return made.code if made is not None else Code.FAILED


def _tell_left(left: "Sequence[ephemeral.Left]", again: str) -> None:
    if not left:
        say("everything that was created is destroyed", err=True)
        return
    for each in left:
        if each.resources:
            amount = counted(len(each.resources), "resource")
            say(f"\n{each.stack}: {amount} left: {', '.join(each.resources)}", err=True)
        if each.underway:
            say(
                f"\n{each.stack}: Terraform was working on {', '.join(each.underway)} when it was stopped: "
                "check whether it exists, and delete it by hand if no state has it",
                err=True,
            )
    say(f"\ndestroy what is left with: {again}", err=True)
