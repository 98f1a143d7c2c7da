"""A report of a change with something of everything, kept as data for whoever renders reports.

`--update-goldens` makes tests/data/review/report.json and report.md anew.
"""

from pathlib import Path

import msgspec
import pytest
from support import ROOT, Run

from clusterprint.review.model import Report
from clusterprint.review.render import json, markdown

SAMPLE = ROOT / "tests" / "data" / "review"


@pytest.fixture(scope="module")
def made(clusterprint: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the sample, made now."""
    file = tmp_path_factory.mktemp("sample") / "report.json"
    done = clusterprint(
        "review", "--base", "./before", "--head", "./after", "--policy", "policy.yaml",
        "--allow", "replacement", "--format", "json", "--out", file, cwd=SAMPLE,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (5, "", "")
    return file


def test_the_sample_has_something_of_everything(made: Path, request: pytest.FixtureRequest) -> None:
    report = msgspec.json.decode(made.read_bytes(), type=Report)
    if request.config.getoption("--update-goldens"):
        (SAMPLE / "report.json").write_text(made.read_text())
        (SAMPLE / "report.md").write_text(markdown.render(report))
    counts = report.verdict.counts
    assert all((counts.added, counts.changed, counts.removed, counts.replaced))
    assert {each.severity for each in report.risks} == {"critical", "high", "low"}
    assert {each.status for each in report.clusters} == {"added", "changed", "orphaned"}
    assert {bool(each.allowed_by) for each in report.policy.findings} == {True, False}
    assert report.cost.known_per_hour > 0
    assert report.scenarios
    boxes = {box.sort for each in report.clusters for box in each.diagram.boxes}
    assert {"network", "subnet", "pool", "bucket", "firewall", "NAT"} <= boxes


def test_the_kept_sample_has_the_form_of_today() -> None:
    text = (SAMPLE / "report.json").read_text()
    report = msgspec.json.decode(text.encode(), type=Report, strict=True)
    assert json.render(report) == text
    assert (SAMPLE / "report.md").read_text() == markdown.render(report)


def test_no_secret_is_in_it(made: Path) -> None:
    assert "0123456789abcdef" in (SAMPLE / "after" / "scripts" / "setup.sh").read_text()
    assert "0123456789abcdef" not in made.read_text()
