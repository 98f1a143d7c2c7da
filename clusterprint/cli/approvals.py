"""Approvals: `--write-approval` and `--approved` of `up` and `down`."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterprint.cli import ephemeral, lifecycle
from clusterprint.cli.output import say
from clusterprint.errors import UsageError
from clusterprint.exit_codes import Code
from clusterprint.render.visible import visible

if TYPE_CHECKING:
    from clusterprint.document import Document
    from clusterprint.lifecycle.foreign import Foreign
    from clusterprint.lifecycle.stack import Stack
    from clusterprint.lifecycle.up import Read
    from clusterprint.review.approval import Command, Subject
    from clusterprint.review.model import Report

# Of a plan that is another one altogether, these say enough.
_SHOWN = 20

_FILE = click.Path(path_type=Path, dir_okay=False)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--read-only`, `--write-approval`, `--valid-for` and `--approved`."""
    for option in (
        click.option(
            "--approved",
            metavar="FILE",
            type=_FILE,
            help="Agree to what was shown when FILE was written, and to nothing else: for jobs of CI.",
        ),
        click.option(
            "--valid-for",
            "lasts",
            metavar="DURATION",
            callback=ephemeral.limit,
            help="With --write-approval: how long the approval is good for, at most 30d. Left out: 7d.",
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
    """The confirmation of a run: by the user, by `--yes`, or by an approval."""

    def __init__(  # noqa: PLR0913 - what the command was asked
        self,
        command: "Command",
        approved: Path | None,
        noted: Path | None,
        lasts: int | None,
        *,
        plan_only: bool,
        yes: bool,
    ) -> None:
        if approved and (yes or plan_only):
            raise UsageError("--approved goes neither with --yes nor with --plan-only")
        if noted and not plan_only:
            raise UsageError("--write-approval goes with --plan-only: it is about what is done later")
        if lasts is not None and not noted:
            raise UsageError("--valid-for goes with --write-approval: the file says how long it is good for")
        from clusterprint.review.approval import LASTS, LONGEST, read_approval

        self._lasts = LASTS if lasts is None else timedelta(seconds=lasts)
        if self._lasts > LONGEST:
            raise UsageError(f"an approval is good for {LONGEST.days} days at most")
        self._command = command
        self._approval = read_approval(approved, command) if approved else None
        self._noted = noted
        self._yes = yes
        self._reports: list[Report] = []
        self._states: dict[str, str] = {}
        self._foreign: list[str] = []
        self._subject: Subject | None = None
        if noted:
            with suppress(OSError):  # what cannot be written is said when it is
                noted.unlink(missing_ok=True)  # should this run fail, nobody takes the last one's for it

    def begin(self, stacks: "Sequence[Stack]", documents: "Mapping[str, Document]") -> None:
        """Set the stacks of the run; `documents` are their blueprints."""
        if self._approval is None and self._noted is None:
            return
        from clusterprint.lifecycle.stack import checksum
        from clusterprint.review.approval import Content, Subject
        from clusterprint.revision import commit_of

        found = {
            each.name: Content(_checksum(documents.get(each.name)), checksum(each.folder)) for each in stacks
        }
        self._subject = Subject(commit_of("HEAD"), found, self._states, datetime.now(UTC))

    @property
    def by_people(self) -> bool:
        """Whether a plan is confirmed that no approval is about."""
        return self._approval is None

    @property
    def read(self) -> "Read | None":
        """The callback that needs the state of each stack, or None."""
        return self._read if self._approval or self._noted else None

    def _read(self, stack: str, state: "Mapping[str, Any]") -> None:
        from clusterprint.lifecycle.state_input import version_of

        # What a run has done itself to a state since is no other version of it.
        self._states.setdefault(stack, version_of(state))

    def seen(self, report: "Report") -> None:
        """Record that this was shown."""
        self._reports.append(report)

    def foreign(self, found: "Sequence[Foreign]") -> None:
        """Record that these resources outside the state were shown, and would be removed."""
        self._foreign += [each.mark for each in found]

    def removes(self, found: "Sequence[Foreign]", *, given: bool) -> bool:
        """Whether the removal of resources outside the state is confirmed: `given` is for that alone."""
        if self._approval is None:
            return lifecycle.agreed_to_remove(found, given=given, yes=self._yes)
        lifecycle.tell_foreign(found, "Left by controllers or by people")
        new = [each for each in found if each.mark not in self._approval.foreign]
        if not given:
            say("not removed: --remove-foreign was not given", err=True)
        elif new:
            names = ", ".join(visible(f"{each.what} {each.name}") for each in new)
            say(f"not removed: nobody has approved the removal of {names}", err=True)
        return given and not new

    def agreed(self, question: str) -> bool:
        """Whether the plan that was shown last is confirmed."""
        if self._approval is None:
            return lifecycle.agreed(question, yes=self._yes)
        from clusterprint.review.approval import objections

        if not self._reports or self._subject is None:
            say("nothing was shown that could have been approved", err=True)
            return False
        lines = objections(self._approval, self._subject, self._reports[-1])
        if lines:
            more = [f"and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
            shown = [f"  {visible(line)}" for line in [*lines[:_SHOWN], *more]]
            say("\n".join(["this is not what was approved:", *shown]), err=True)
        return not lines

    def write(self, code: Code, later: Iterable[str] = ()) -> None:
        """Write the approval file, if one was requested and the run only planned or succeeded."""
        if self._noted and self._subject and code in (Code.CHANGES, Code.NOTHING_TO_DO):
            from clusterprint.review.approval import approval_of, write_approval

            approval = approval_of(
                self._command,
                self._subject,
                self._reports,
                later=later,
                foreign=self._foreign,
                lasts=self._lasts,
            )
            write_approval(approval, self._noted)


def _checksum(document: "Document | None") -> str:
    """Of a blueprint, with the defaults that were laid under it; empty where there is none."""
    if document is None:
        return ""
    texts = [each.text for each in (document, *document.defaults)]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def check_read_only(*, read_only: bool, plan_only: bool) -> None:
    """Refuse to change anything without a lock."""
    if read_only and not plan_only:
        raise UsageError("--read-only goes with --plan-only: what changes something locks the state")
