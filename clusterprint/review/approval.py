"""Approvals as files: exactly the plan that was shown and confirmed is applied later, elsewhere, once.

It has checksums, digests of the steps of each plan, and names of what would be removed, but no values; so it
may lie where a report may. It is read as other people's text: whoever may write it can approve anything.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.files import atomic
from clusterprint.review.model import PlannedStep, Report, Source

Command = Literal["up", "down", "down --include-data"]

#: How long an approval is good for, if nobody says, and at most.
LASTS, LONGEST = timedelta(days=7), timedelta(days=30)

_MOST_BYTES = 32 * 1024 * 1024
_ONLY_CREATES = ("create",)
# By so much the clocks of two machines may differ.
_CLOCKS = timedelta(minutes=5)

_Checksum = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")]
_Commit = Annotated[str, Meta(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})?\Z")]
_Version = Annotated[str, Meta(pattern=r"^([0-9]{1,19}-[0-9a-f]{16})?\Z")]
_Time = Annotated[datetime, Meta(tz=True)]


class Shown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The shown plan of one stack, by the checksums of its blueprint and of all files that Terraform reads.

    `state` is the version of the state that was planned against, empty where there was none. `steps` are by
    address; a stack that could not be planned yet has none.
    """

    blueprint: _Checksum
    folder: _Checksum
    state: _Version
    steps: dict[str, str] = {}


class Approval(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that was shown, by stack; `later` are stacks that could not be planned yet.

    `foreign` is what is in no state and would be removed, as `Foreign.mark` has it.
    """

    format: Literal[2]
    command: Command
    commit: _Commit
    made: _Time
    expires: _Time
    stacks: dict[str, Shown]
    later: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


class Content(NamedTuple):
    """The checksums of a stack: of its blueprint, and of what Terraform reads of it."""

    blueprint: str
    folder: str


class Subject(NamedTuple):
    """The subject of a run: the commit, the stacks, and the versions of the states that are read.

    `since` is when the run began: what takes hours does not let an approval expire on the way.
    """

    commit: str
    stacks: Mapping[str, Content]
    states: Mapping[str, str]
    since: datetime


def approval_of(  # noqa: PLR0913 - all that an approval is bound to
    command: Command,
    subject: Subject,
    reports: Iterable[Report],
    *,
    later: Iterable[str] = (),
    foreign: Iterable[str] = (),
    lasts: timedelta = LASTS,
) -> Approval:
    """All that some reports on plans show."""
    later = tuple(later)
    steps = {source.head: dict(map(_told, source.steps)) for each in reports for source in each.sources}
    steps |= {stack: {} for stack in later}
    return Approval(
        format=2,
        command=command,
        commit=subject.commit,
        made=subject.since,
        expires=subject.since + lasts,
        stacks={
            stack: Shown(
                blueprint=subject.stacks[stack].blueprint,
                folder=subject.stacks[stack].folder,
                state=subject.states.get(stack, ""),
                steps=told,
            )
            for stack, told in steps.items()
        },
        later=later,
        foreign=tuple(foreign),
    )


def _told(step: PlannedStep) -> tuple[str, str]:
    return step.address, f"{' and '.join(step.actions)} {step.digest}"


def write_approval(approval: Approval, file: Path) -> None:
    """Write it to a file. Raises EnvironmentFailure."""
    try:
        atomic.write(msgspec.json.format(msgspec.json.encode(approval)) + b"\n", file)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {file}: {error.strerror}") from error


def read_approval(file: Path, command: Command) -> Approval:
    """The approval for a command. Raises UsageError for a file that is not one."""
    try:
        with file.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read the approval {file}: {error.strerror}") from error
    if len(content) > _MOST_BYTES:
        raise UsageError(f"{file} is too large to be an approval")
    try:
        approval = msgspec.json.decode(content, type=Approval)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise UsageError(
            f"{file} is not an approval, or one of another version of clusterprint: --plan-only "
            "--write-approval writes one"
        ) from None
    if approval.command != command:
        raise UsageError(f"{file} approves `{approval.command}`, not `{command}`")
    return approval


def objections(approval: Approval, subject: Subject, report: Report) -> list[str]:
    """The differences from the approval; empty if the report is the same, or has fewer changes."""
    return [*_of_the_run(approval, subject), *_of_stacks(approval, subject, report)]


def _of_the_run(approval: Approval, subject: Subject) -> Iterator[str]:
    now = subject.since
    if now > approval.expires:
        yield f"it was approved until {_clock(approval.expires)}, which is over"
    if approval.expires - approval.made > LONGEST:
        yield f"it says that it is good for more than {LONGEST.days} days, and none is"
    if approval.made > now + _CLOCKS:
        yield f"it was approved at {_clock(approval.made)}, which is later than this machine's clock says"
    if approval.commit != subject.commit:
        was, found = (each[:12] or "no commit" for each in (approval.commit, subject.commit))
        yield f"approved was commit {was}, and this is {found}"


def _clock(time: datetime) -> str:
    return time.isoformat(" ", "minutes")  # without a time zone of ours: years at either end have none


def _of_stacks(approval: Approval, subject: Subject, report: Report) -> Iterator[str]:
    for source in report.sources:
        stack, shown = source.head, approval.stacks.get(source.head)
        if shown is not None:
            yield from (f"{stack}: {why}" for why in _unlike(shown, stack, subject))
        yield from _of_steps(shown.steps if shown else {}, source, may_create=stack in approval.later)


def _unlike(shown: Shown, stack: str, subject: Subject) -> Iterator[str]:
    found = subject.stacks.get(stack)
    if found is None or found.blueprint != shown.blueprint:
        yield "its blueprint is not the one that was approved"
    elif found.folder != shown.folder:
        yield (
            "what Terraform reads is not what was approved: a file beside the blueprint has changed, or "
            "clusterprint itself"
        )
    if subject.states.get(stack, "") != shown.state:
        yield "its state has changed since: an approval is good for one run, and this was not planned again"


def _of_steps(approved: Mapping[str, str], source: Source, *, may_create: bool) -> Iterator[str]:
    """`may_create`: nobody could plan it, so all of it is new, and follows from what Terraform reads."""
    for step in source.steps:
        address, told = _told(step)
        if approved.get(address) == told or (may_create and step.actions == _ONLY_CREATES):
            continue
        doing, was = " and ".join(step.actions), approved.get(address, "").rpartition(" ")[0]
        if not was:
            then = "was not approved"
        elif was == doing:
            then = "other than it was approved"
        else:
            then = f"approved was {was}"
        yield f"{source.head}: {address}: {doing}, {then}"
