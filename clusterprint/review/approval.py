"""What people were shown and agreed to, as a file: so that later, elsewhere, exactly that is done.

It has no values, only digests of the steps of each plan, so it may lie where a report may.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.files import aside
from clusterprint.review.model import PlannedStep, Report, Source

Command = Literal["up", "down", "down --include-data"]

_MOST_BYTES = 32 * 1024 * 1024
_ONLY_CREATES = ("create",)


class Approval(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The steps that were shown, by stack and address; `later` are stacks that could not be planned yet."""

    format: Literal[1] = 1
    command: Command
    stacks: dict[str, dict[str, str]]
    later: tuple[str, ...] = ()


def approval_of(command: Command, reports: Iterable[Report], later: Iterable[str] = ()) -> Approval:
    """All that some reports on plans show."""
    return Approval(
        command=command,
        stacks={source.head: dict(map(_told, source.steps)) for each in reports for source in each.sources},
        later=tuple(later),
    )


def _told(step: PlannedStep) -> tuple[str, str]:
    return step.address, f"{' and '.join(step.actions)} {step.digest}"


def write_approval(approval: Approval, file: Path) -> None:
    """Write it to a file. Raises EnvironmentFailure."""
    try:
        aside.write(msgspec.json.format(msgspec.json.encode(approval)) + b"\n", file)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {file}: {error.strerror}") from error


def read_approval(file: Path, command: Command) -> Approval:
    """What was approved for a command. Raises UsageError for a file that does not say that."""
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
        raise UsageError(f"{file} is not an approval: --plan-only --write-approval writes one") from None
    if approval.command != command:
        raise UsageError(f"{file} approves `{approval.command}`, not `{command}`")
    return approval


def objections(approval: Approval, report: Report) -> list[str]:
    """What a report shows that was not approved; nothing if it is all, or less."""
    return [line for source in report.sources for line in _objections(approval, source)]


def _objections(approval: Approval, source: Source) -> Iterator[str]:
    approved = approval.stacks.get(source.head, {})
    # Nobody could plan it: all of it is new, and follows from the commit that was approved.
    may_create = source.head in approval.later
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
