"""The meaning of Terraform's errors, and their fixes: the first matching row."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint.lifecycle.protected import TWO_WORDS


class TerraformFailed(Exception):  # noqa: N818 - it is Terraform that failed
    """A step of Terraform did not succeed.

    `errors` is what it said of each thing that went wrong, `addresses` which resources that was about.
    """

    def __init__(self, step: str, errors: Sequence[str], addresses: Sequence[str] = ()) -> None:
        super().__init__(f"{step} failed")
        self.step = step
        self.errors = tuple(errors)
        self.addresses = tuple(addresses) or ("",) * len(self.errors)


class Failure(NamedTuple):
    """A way in which a run can fail. A `transient` one may go away by itself, and is tried again."""

    name: str
    words: str
    meaning: str
    help: str
    transient: bool = False


def _failures() -> tuple[Failure, ...]:
    rows = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return tuple(
        Failure(
            each["name"],
            "|".join(each["patterns"]),
            each["meaning"],
            each["help"].replace("{protection off}", TWO_WORDS),
            each.get("transient", False),
        )
        for each in rows
    )


#: All ways, from `failures.json`; its patterns are words of the providers and of the clouds behind them.
FAILURES = _failures()

_PATTERNS = tuple((failure, re.compile(failure.words, re.DOTALL)) for failure in FAILURES)

UNKNOWN = Failure("unknown", "", "", "Terraform's output is above; what was created is in the state.")


def explain(error: str) -> Failure:
    """The failure that an error of Terraform belongs to; `UNKNOWN` if no row matches."""
    return next((failure for failure, pattern in _PATTERNS if pattern.search(error)), UNKNOWN)


def is_transient(errors: Sequence[str]) -> bool:
    """Whether all that went wrong may be gone at the next try."""
    return bool(errors) and all(explain(each).transient for each in errors)


def by_failure(errors: Iterable[str]) -> dict[Failure, list[str]]:
    """The errors, each once, by what they are about."""
    found: dict[Failure, list[str]] = {}
    for error in dict.fromkeys(errors):
        found.setdefault(explain(error), []).append(error)
    return found


class Lock(NamedTuple):
    """Who has locked a state, in Terraform's words."""

    id: str
    who: str
    operation: str
    created: str
    path: str


def lock_in(error: str) -> Lock | None:
    """The lock that an error is about."""
    # What the backend says while it is set up has its lines in one, as in a program.
    lines = error.replace("\\n", "\n")
    found = dict(re.findall(r"^\W*(ID|Who|Operation|Created|Path):\s*(.*?)\s*$", lines, re.MULTILINE))
    if "ID" not in found:
        return None
    return Lock(
        id=found["ID"],
        who=found.get("Who", ""),
        operation=found.get("Operation", ""),
        created=found.get("Created", ""),
        path=found.get("Path", ""),
    )


def unreleased_in(errors: Iterable[str]) -> Lock | None:
    """The lock that the failed command held itself and could not release."""
    return next((lock_in(each) for each in errors if explain(each).name == "lock not released"), None)


def is_released(error: str) -> bool:
    """Whether a lock could not be released because it is not there any more: an id is one lock for ever."""
    return re.search(r"\bError (?:404|412)\b|object doesn't exist", error) is not None
