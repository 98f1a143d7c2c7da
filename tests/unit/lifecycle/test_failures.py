import json

import pytest
from support import ROOT

from clusterprint.lifecycle.failures import (
    FAILURES,
    UNKNOWN,
    by_failure,
    explain,
    is_released,
    is_transient,
    lock_in,
    unreleased_in,
)

LOCKED = """Error acquiring the state lock
Error message: writing
"gs://my-state/clusterprint/first/first/default.tflock" failed: googleapi: Error 412: At least one of the
pre-conditions you specified did not hold., conditionNotMet
Lock Info:
  ID:        1732312345678901
  Path:      gs://my-state/clusterprint/first/first/default.tflock
  Operation: OperationTypeApply
  Who:       ann@laptop
  Version:   1.11.4
  Created:   2026-11-22 19:00:00.000000 +0000 UTC
  Info:

Terraform acquires a state lock to protect the state from being written
by multiple users at the same time."""

INIT = """Error: Error loading state: <nil>
\tAdditionally, unlocking the state file on Google Cloud Storage failed:

\tError message: "googleapi: Error 403: no\\nLock Info:\\n  ID:   1795416363824288\\n  Path: gs://s\\n"
\tLock ID (gen): 1795416363824288"""

# What providers, clouds and Terraform say, and what it is.
SAID = [
    (LOCKED, "stale lock"),
    (INIT, "lock not released"),
    (LOCKED.replace("acquiring", "releasing"), "lock not released"),
    *(
        (each["said"], each["is"])
        for each in json.loads((ROOT / "tests/data/terraform_errors.json").read_text())
    ),
]


@pytest.mark.parametrize(("said", "name"), SAID)
def test_an_error_is_explained(said: str, name: str) -> None:
    assert explain(said).name == name


def test_each_explanation_is_reached_by_an_error_of_its_own() -> None:
    assert {name for _, name in SAID} == {each.name for each in FAILURES}


def test_what_nobody_has_written_down_is_told_as_it_is() -> None:
    assert explain("something new") == UNKNOWN
    assert not is_transient(["something new"])


def test_only_what_passes_by_itself_is_tried_again() -> None:
    assert is_transient(["Error 503: Service Unavailable", "connection reset by peer"])
    assert not is_transient(["Error 503: Service Unavailable", "Quota 'CPUS' exceeded."])
    assert not is_transient([])


def test_a_mistake_is_told_once_however_many_say_it() -> None:
    assert {each.name: len(errors) for each, errors in by_failure([LOCKED, LOCKED, "Error 503"]).items()} == {
        "stale lock": 1,
        "service busy": 1,
    }


def test_a_lock_says_whose_it_is() -> None:
    lock = lock_in(LOCKED)
    assert lock is not None
    assert (lock.id, lock.who, lock.operation) == ("1732312345678901", "ann@laptop", "OperationTypeApply")
    assert lock.created == "2026-11-22 19:00:00.000000 +0000 UTC"
    assert lock_in("Error 503") is None


@pytest.mark.parametrize("said", [INIT, LOCKED.replace("acquiring", "releasing")])
def test_a_lock_of_ones_own_is_known_by_who_says_it(said: str) -> None:
    lock = unreleased_in(["Error 503", said])
    assert lock is not None
    assert lock == lock_in(said)
    assert unreleased_in([LOCKED]) is None
    assert is_released("googleapi: Error 404: No such object")
    assert not is_released("googleapi: Error 403: no, forbidden")
