"""Which steps of a plan are the same as those that were approved."""

from pathlib import Path
from typing import Any

import pytest

from clusterprint.errors import UsageError
from clusterprint.review.approval import approval_of, objections, read_approval, write_approval
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


def left(approved: Report, now: Report, *, later: tuple[str, ...] = ()) -> list[str]:
    return objections(approval_of("up", [approved], later), now)


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


def test_a_stack_that_could_not_be_planned_may_create_and_nothing_else() -> None:
    new = report("inside", release=change("create", after={"name": "x"}))
    assert left(report(), new, later=("inside",)) == []
    assert left(report(), new)
    for actions in (("delete", "create"), ("delete",), ("update",)):
        assert left(report(), report("inside", release=change(*actions)), later=("inside",))


def test_what_is_sensitive_is_in_no_digest() -> None:
    def secret(value: str) -> Report:
        return report(key=change("create", after={"value": value}, after_sensitive={"value": True}))

    assert left(secret("one"), secret("two")) == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "\0", '{"format": 2, "command": "up", "stacks": {}}', "[" * 100_000]
)
def test_what_is_no_approval_is_wrong_usage(tmp_path: Path, text: str) -> None:
    file = tmp_path / "approval.json"
    file.write_text(text)
    with pytest.raises(UsageError, match="is not an approval"):
        read_approval(file, "up")


def test_an_approval_is_for_one_command(tmp_path: Path) -> None:
    file = tmp_path / "approval.json"
    write_approval(approval_of("down", [report()]), file)
    assert read_approval(file, "down").stacks == {"first": {}}
    with pytest.raises(UsageError, match="approves `down`, not `down --include-data`"):
        read_approval(file, "down --include-data")
