"""Which steps of a plan are the same as those that were approved."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from clusterprint.errors import UsageError
from clusterprint.review.approval import (
    LASTS,
    LONGEST,
    Content,
    Subject,
    approval_of,
    objections,
    read_approval,
    write_approval,
)
from clusterprint.review.assemble import Gathered, assemble
from clusterprint.review.model import Report, Source
from clusterprint.review.terraform_plan.steps import planned_steps


def change(*actions: str, **more: Any) -> dict[str, Any]:
    known: dict[str, Any] = {
        "before": None,
        "after": None,
        "after_unknown": {},
        "before_sensitive": {},
        "after_sensitive": {},
    }
    return {"actions": list(actions), **known, **more}


def report(stack: str = "first", **changes: dict[str, Any]) -> Report:
    document = {"resource_changes": [{"address": name, "change": each} for name, each in changes.items()]}
    source = Source(sort="terraform plan", base="", head=stack, steps=tuple(planned_steps(document)))
    return assemble(Gathered(sources=(source,), scenes=(), commands=(), notes=()))


SINCE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
ONE, OTHER = "1" * 64, "2" * 64
COMMIT = "c" * 40
FOLDER_CHANGED = (
    "what Terraform reads is not what was approved: a file beside the blueprint has changed, or "
    "clusterprint itself"
)
STATE_CHANGED = "its state has changed since: an approval is good for one run, and this was not planned again"
NOW = Subject(
    COMMIT, {each: Content(ONE, ONE) for each in ("first", "inside")}, {"first": f"3-{'a' * 16}"}, SINCE
)


def left(approved: Report, now: Report, *, later: tuple[str, ...] = (), subject: Subject = NOW) -> list[str]:
    return objections(approval_of("up", NOW, [approved], later=later), subject, now)


RESIZED = change(
    "update", before={"id": "1", "size": 2, "state": "x"}, after={"id": "1", "size": 3, "state": "x"}
)


def test_what_is_left_alone_may_change_by_itself() -> None:
    other = change(
        "update", before={"id": "1", "size": 2, "state": "y"}, after={"id": "1", "size": 3, "state": "y"}
    )
    assert left(report(group=RESIZED), report(group=other)) == []


def test_less_than_was_approved_is_approved() -> None:
    assert (
        left(report(group=RESIZED, other=change("delete", before={"id": "2"})), report(group=RESIZED)) == []
    )


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (
            change("update", before={"id": "1", "size": 1}, after={"id": "1", "size": 3}),
            "other than it was approved",
        ),
        (
            change("update", before={"id": "1", "size": 2}, after={"id": "1", "size": 4}),
            "other than it was approved",
        ),
        (
            change("update", before={"id": "9", "size": 2}, after={"id": "9", "size": 3}),
            "other than it was approved",
        ),
        (change("delete", "create", before={"id": "1"}, after={"size": 3}), "approved was update"),
    ],
)
def test_another_step_is_not(now: dict[str, Any], why: str) -> None:
    (line,) = left(report(group=RESIZED), report(group=now))
    assert line.startswith("first: group: ")
    assert line.endswith(why)


def test_another_thing_of_the_same_name_is_not() -> None:
    gone = report(bucket=change("delete", before={"id": "old"}))
    assert left(gone, report(bucket=change("delete", before={"id": "new"})))


def test_what_is_read_or_stays_is_no_step() -> None:
    assert left(report(), report(data=change("read"), same=change("no-op"))) == []


def test_an_argument_that_goes_is_a_step() -> None:
    def without(name: str) -> Report:
        both = {"id": "1", "a": 1, "b": 1}
        return report(group=change("update", before=both, after={k: v for k, v in both.items() if k != name}))

    assert left(without("a"), without("b"))


def test_an_approval_may_be_good_for_the_longest_time_and_no_longer() -> None:
    longest = approval_of("up", NOW, [report(group=RESIZED)], lasts=LONGEST)
    assert objections(longest, NOW, report(group=RESIZED)) == []
    longer = approval_of("up", NOW, [report(group=RESIZED)], lasts=LONGEST + timedelta(seconds=1))
    (line,) = objections(longer, NOW, report(group=RESIZED))
    assert line == "it says that it is good for more than 30 days, and none is"


def test_a_stack_that_could_not_be_planned_may_create_and_nothing_else() -> None:
    new = report("inside", release=change("create", after={"name": "x"}))
    assert left(report(), new, later=("inside",)) == []
    assert left(report(), new)
    for actions in (("delete", "create"), ("delete",), ("update",)):
        assert left(report(), report("inside", release=change(*actions)), later=("inside",))


def test_what_is_sensitive_is_in_no_digest_but_in_the_checksum_of_what_terraform_reads() -> None:
    """The whole set-up of a machine on Azure is sensitive: a script in it must not change unseen."""

    def secret(value: str) -> Report:
        return report(key=change("create", after={"value": value}, after_sensitive={"value": True}))

    assert left(secret("one"), secret("two")) == []
    other = NOW._replace(stacks={**NOW.stacks, "first": Content(ONE, OTHER)})
    (line,) = left(secret("one"), secret("two"), subject=other)
    assert line.startswith("first: what Terraform reads is not what was approved")


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        (NOW._replace(commit="d" * 40), f"approved was commit {'c' * 12}, and this is {'d' * 12}"),
        (NOW._replace(commit=""), f"approved was commit {'c' * 12}, and this is no commit"),
        (NOW._replace(since=SINCE + LASTS), None),
        (
            NOW._replace(since=SINCE + LASTS + timedelta(seconds=1)),
            "it was approved until 2026-01-09 03:04+00:00, which is over",
        ),
        (NOW._replace(since=SINCE - timedelta(minutes=5)), None),
        (
            NOW._replace(since=SINCE - timedelta(minutes=6)),
            "it was approved at 2026-01-02 03:04+00:00, which is later than this machine's clock says",
        ),
        (
            NOW._replace(stacks={"first": Content(OTHER, OTHER)}),
            "first: its blueprint is not the one that was approved",
        ),
        (NOW._replace(stacks={}), "first: its blueprint is not the one that was approved"),
        (
            NOW._replace(stacks={"first": Content(ONE, OTHER)}),
            f"first: {FOLDER_CHANGED}",
        ),
        *(
            (
                NOW._replace(states=states),
                f"first: {STATE_CHANGED}",
            )
            for states in ({}, {"first": f"4-{'a' * 16}"}, {"first": f"3-{'b' * 16}"})
        ),
        (NOW._replace(stacks={**NOW.stacks, "inside": Content(OTHER, OTHER)}), None),
    ],
)
def test_an_approval_is_for_one_commit_blueprint_folder_state_and_time(
    subject: Subject, why: str | None
) -> None:
    assert left(report(group=RESIZED), report(group=RESIZED), subject=subject) == ([why] if why else [])


def test_a_stack_that_could_not_be_planned_is_bound_like_the_others() -> None:
    new = report("inside", release=change("create", after={"name": "x"}))
    assert left(report(), new, later=("inside",)) == []
    for changed, why in (
        (NOW._replace(stacks={**NOW.stacks, "inside": Content(ONE, OTHER)}), "what Terraform reads"),
        (NOW._replace(stacks={**NOW.stacks, "inside": Content(OTHER, ONE)}), "its blueprint"),
        (NOW._replace(states={"inside": f"2-{'a' * 16}"}), "its state has changed"),
    ):
        (line,) = left(report(), new, later=("inside",), subject=changed)
        assert line.startswith(f"inside: {why}")


def approval(**changes: object) -> str:
    """The text of an approval with some keys changed; those that are `...` are left out."""
    known = json.loads(msgspec.json.encode(approval_of("up", NOW, [report(group=RESIZED)])))
    return json.dumps({key: value for key, value in {**known, **changes}.items() if value is not ...})


FIRST = json.loads(approval())["stacks"]["first"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "\0",
        "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
        "[" * 100_000,
        '{"a":' * 100_000,
        approval()[:-1],
        approval()[: len(approval()) // 2],
        f"{approval()}{approval()}",
        approval(format=1),
        approval(format=3),
        approval(format="2"),
        approval(format=...),
        approval(command="destroy"),
        approval(command=None),
        approval(unknown=1),
        approval(commit="HEAD"),
        approval(commit=f"{COMMIT}\n"),
        approval(made=5),
        approval(made="2026-01-02T03:04:05"),
        approval(expires="never"),
        approval(expires=...),
        approval(expires="9999-12-31T23:59:59+99:99"),
        approval(stacks=[]),
        approval(stacks={"first": {}}),
        approval(stacks={"first": {**FIRST, "unknown": 1}}),
        approval(stacks={"first": {**FIRST, "folder": "x"}}),
        approval(stacks={"first": {**FIRST, "state": "x"}}),
        approval(stacks={"first": {**FIRST, "steps": {"a": 1}}}),
        approval(later="inside"),
        approval(foreign=[1]),
    ],
)
def test_what_is_no_approval_is_wrong_usage(tmp_path: Path, text: str) -> None:
    file = tmp_path / "approval.json"
    file.write_text(text)
    with pytest.raises(UsageError, match="is not an approval, or one of another version"):
        read_approval(file, "up")


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "approval.json"
    with file.open("wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(UsageError, match="is too large to be an approval"):
        read_approval(file, "up")


FIRST_DAY, LAST_DAY = "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"


@pytest.mark.parametrize(
    ("made", "expires"),
    [
        ("2026-01-02T03:04:00Z", LAST_DAY),
        (FIRST_DAY, LAST_DAY),
        (FIRST_DAY, FIRST_DAY),
        (LAST_DAY, LAST_DAY),
        (LAST_DAY, FIRST_DAY),
    ],
)
def test_an_approval_of_any_other_time_is_none(tmp_path: Path, made: str, expires: str) -> None:
    file = tmp_path / "approval.json"
    file.write_text(approval(made=made, expires=expires))
    assert objections(read_approval(file, "up"), NOW, report(group=RESIZED))


def test_an_approval_is_for_one_command(tmp_path: Path) -> None:
    file = tmp_path / "approval.json"
    write_approval(approval_of("down", NOW, [report()]), file)
    assert read_approval(file, "down").stacks["first"].steps == {}
    with pytest.raises(UsageError, match="approves `down`, not `down --include-data`"):
        read_approval(file, "down --include-data")


def test_an_approval_is_good_for_as_long_as_it_was_given() -> None:
    for_an_hour = approval_of("up", NOW, [report(group=RESIZED)], lasts=timedelta(hours=1))
    late = NOW._replace(since=SINCE + timedelta(hours=2))
    assert objections(for_an_hour, NOW, report(group=RESIZED)) == []
    assert len(objections(for_an_hour, late, report(group=RESIZED))) == 1
