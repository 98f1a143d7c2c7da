"""Facts that age: one index of all of them, complete, and a list of those that are old."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from datetime import date, timedelta

import ages
import pytest
from support import ROOT

from clusterprint import catalog

INDEX = json.loads(ages.PINS.read_text("utf-8"))


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "ages.py", *arguments], capture_output=True, text=True, check=False
    )


def in_tables() -> set[tuple[str, str]]:
    """Every name and version that the tables hold."""
    components = catalog.components().values()
    return {(each["name"], each["version"]) for each in INDEX} | {
        (each.location, each.version) for each in components
    }


@pytest.mark.slow
def test_no_version_stands_outside_of_the_tables() -> None:
    strangers = [each for each in ages.pins_found() if (each.name, each.version) not in in_tables()]
    assert strangers == [], (
        "write them into tools/pins.json, with source, date and what would notice their age"
    )


@pytest.mark.slow
def test_nothing_is_in_the_index_that_stands_nowhere() -> None:
    assert {(each["name"], each["version"]) for each in INDEX} <= {
        (each.name, each.version) for each in ages.pins_found()
    }


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("a.yaml", f"- uses: a/b@{'0' * 40} # v1.2.3", ("a/b", "v1.2.3")),
        ("a.yaml", "  with: {terraform_version: 1.11.4}", ("terraform_version", "1.11.4")),
        (
            "a.yaml",
            "  with: {version: 1.2.0, install_components: gke-gcloud-auth-plugin}",
            ("gke-gcloud-auth-plugin", "1.2.0"),
        ),
        ("a.py", '_IMAGE = "gcr.io/team/tool:v2.1"', ("gcr.io/team/tool", "v2.1")),
        ("run.sh", "docker run quay.io/a/b:1.2-alpine", ("quay.io/a/b", "1.2-alpine")),
        ("Dockerfile", "ARG BASE=python:3.13-slim@sha256:00", ("python", "3.13-slim")),
        ("pyproject.toml", 'x = ["jsii==1.142.0"]', ("jsii", "1.142.0")),
        ("clusterprint/blueprint/ray/ray.py", '    ] = "2.55.0"', ("ray", "2.55.0")),
        (
            "clusterprint/blueprint/google.py",
            '"Version of the Terraform provider helm: 3.1.1, or later."\n ),\n ] = "3.1.1"',
            ("helm", "3.1.1"),
        ),
    ],
)
def test_a_version_is_found_where_it_stands(file: str, text: str, found: tuple[str, str]) -> None:
    assert [(each.name, each.version) for each in ages.pins_in(file, text)] == [found]


@pytest.mark.parametrize(
    "text",
    ["cidr: 10.0.0.0/16", "if number == 1.5:", "https://example.com/a:b", "at 10:30.5", "us-central1-a:1"],
)
def test_what_is_no_version_is_left_alone(text: str) -> None:
    assert list(ages.pins_in("a.py", text)) == []


def test_every_fact_says_from_where_it_is_and_what_would_notice() -> None:
    found = list(ages.facts())
    assert all(each.source and each.noticed and each.name for each in found)
    tables = {each.table for each in found}
    assert {"google/prices", "google/machines", "google/gke", "kubernetes/components", "tools/pins"} <= tables


def oldest(found: Iterable[ages.Fact]) -> date:
    return min(each.date for each in found)


def test_the_age_is_counted_from_the_day_that_is_given() -> None:
    first = oldest(ages.facts())
    on_the_last_day = first + timedelta(days=90)
    assert ages.older(90, on_the_last_day) == []
    a_day_later = ages.older(90, on_the_last_day + timedelta(days=1))
    assert {each.date for each in a_day_later} == {first}
    assert len(ages.older(0, date(2100, 1, 1))) == len(list(ages.facts()))


@pytest.mark.process
def test_the_command_lists_what_is_old_and_fails() -> None:
    first = oldest(ages.facts())
    fresh = run("--today", (first + timedelta(days=90)).isoformat())
    assert (fresh.returncode, fresh.stderr) == (0, "")
    assert re.fullmatch(r"0 of \d+ facts are older than 90 days\n", fresh.stdout)
    old = run("--today", "2100-01-01")
    assert old.returncode == 1
    assert f"{first}  " in old.stdout.splitlines()[0]
    assert "noticed by: " in old.stdout
    assert "tools/pins  cdktf 0.21.0" in old.stdout
