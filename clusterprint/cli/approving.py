"""Agreeing now to what is done later, elsewhere: `--write-approval` and `--approved` of `up` and `down`."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterprint.cli import living
from clusterprint.cli.output import say
from clusterprint.errors import UsageError
from clusterprint.exit_codes import Code
from clusterprint.render.visible import visible

if TYPE_CHECKING:
    from clusterprint.review.approval import Command
    from clusterprint.review.model import Report

# Of a plan that is another one altogether, these say enough.
_SHOWN = 20

_FILE = click.Path(path_type=Path, dir_okay=False)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--read-only`, `--write-approval` and `--approved`."""
    for option in (
        click.option(
            "--approved",
            metavar="FILE",
            type=_FILE,
            help="Agree to what was shown when FILE was written, and to nothing else: for jobs of CI.",
        ),
        click.option(
            "--write-approval",
            "noted",
            metavar="FILE",
            type=_FILE,
            help="With --plan-only: record what is shown, for --approved.",
        ),
        click.option(
            "--read-only",
            is_flag=True,
            help="With --plan-only: lock nothing and read no cluster, for read-only accounts.",
        ),
    ):
        command = option(command)
    return command


class Agreement:
    """How a run is agreed to: by somebody who is asked, by `--yes`, or by what was approved before."""

    def __init__(
        self, command: "Command", approved: Path | None, noted: Path | None, *, plan_only: bool, yes: bool
    ) -> None:
        if approved and (yes or plan_only):
            raise UsageError("--approved goes neither with --yes nor with --plan-only")
        if noted and not plan_only:
            raise UsageError("--write-approval goes with --plan-only: it is about what is done later")
        from clusterprint.review.approval import read_approval

        self._command = command
        self._approval = read_approval(approved, command) if approved else None
        self._noted = noted
        self._yes = yes
        self._reports: list[Report] = []
        if noted:
            with suppress(OSError):  # what cannot be written is said when it is
                noted.unlink(missing_ok=True)  # should this run fail, nobody takes the last one's for it

    def seen(self, report: "Report") -> None:
        """Somebody was shown this."""
        self._reports.append(report)

    def agreed(self, question: str) -> bool:
        """Whether what was seen last is agreed to."""
        if self._approval is None:
            return living.agreed(question, yes=self._yes)
        from clusterprint.review.approval import objections

        if not self._reports:
            say("nothing was shown that could have been approved", err=True)
            return False
        lines = objections(self._approval, self._reports[-1])
        if lines:
            more = [f"and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
            shown = [f"  {visible(line)}" for line in [*lines[:_SHOWN], *more]]
            say("\n".join(["this is not what was approved:", *shown]), err=True)
        return not lines

    def write(self, code: Code, later: Iterable[str] = ()) -> None:
        """Write down what was seen, if that was all."""
        if self._noted and code in (Code.CHANGES, Code.NOTHING_TO_DO):
            from clusterprint.review.approval import approval_of, write_approval

            write_approval(approval_of(self._command, self._reports, later), self._noted)


def check_read_only(*, read_only: bool, plan_only: bool) -> None:
    """Refuse to change anything without a lock."""
    if read_only and not plan_only:
        raise UsageError("--read-only goes with --plan-only: what changes something locks the state")
