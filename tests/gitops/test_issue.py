"""One issue of GitLab about what is not as it should be: opened, kept current, closed."""

import sys
from pathlib import Path

import pytest
from forges import READER, WRITER, Forge

from clusterprint.gitops import issue

TITLE = "Clusters are not as their blueprints say"
MARK = "<!-- clusterprint:clusterprint-drift -->"


@pytest.fixture(autouse=True)
def project(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI_API_V4_URL", f"{forge.url}/api/v4")
    monkeypatch.setenv("CI_PROJECT_ID", "42")
    monkeypatch.setenv("CLUSTERPRINT_TOKEN", WRITER)
    monkeypatch.setenv("CLUSTERPRINT_RETRY_SECONDS", "0")


def tell(folder: Path, text: str, *options: str) -> int:
    file = folder / "drift.md"
    file.write_text(text)
    sys.argv = ["issue", "--title", TITLE, *options, str(file)]
    return issue.main()


@pytest.fixture(autouse=True)
def _arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [])


def test_one_issue_is_opened_kept_current_and_closed(forge: Forge, tmp_path: Path) -> None:
    assert tell(tmp_path, "first") == 0
    assert tell(tmp_path, "second") == 0
    (only,) = forge.issues
    assert only["title"] == TITLE
    assert only["description"] == f"{MARK}\nsecond\n"
    assert only["state"] == "opened"
    assert tell(tmp_path, "All is well.", "--solved") == 0
    assert (only["state"], only["notes"]) == ("closed", ["All is well."])
    assert tell(tmp_path, "third") == 0
    assert [each["state"] for each in forge.issues] == ["closed", "opened"], "what is closed stays so"


def test_what_did_not_change_is_not_written_again(forge: Forge, tmp_path: Path) -> None:
    tell(tmp_path, "same")
    forge.asked.clear()
    assert tell(tmp_path, "same") == 0
    assert not [each for each in forge.asked if not each.startswith("GET")]


def test_without_an_issue_there_is_none_to_close(forge: Forge, tmp_path: Path) -> None:
    assert tell(tmp_path, "All is well.", "--solved") == 0
    assert forge.issues == []


def test_issues_of_people_stay_as_they_are(forge: Forge, tmp_path: Path) -> None:
    theirs = {"labels": issue.LABEL, "description": f"{MARK}\nmine", "state": "opened", "iid": 1, "notes": []}
    forge.issues.append({**theirs, "author": "somebody"})
    assert tell(tmp_path, "found") == 0
    assert forge.issues[0]["description"] == f"{MARK}\nmine"
    assert len(forge.issues) == 2


def test_two_that_were_opened_at_once_become_one(forge: Forge, tmp_path: Path) -> None:
    tell(tmp_path, "found")
    forge.issues.append({**forge.issues[0], "iid": 2, "notes": []})
    assert tell(tmp_path, "found") == 0
    assert [each["state"] for each in forge.issues] == ["opened", "closed"]


def test_passing_faults_are_waited_for_and_others_are_told(
    forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forge.faults = [502, 503]
    assert tell(tmp_path, "found") == 0
    assert len(forge.issues) == 1
    monkeypatch.setenv("CLUSTERPRINT_TOKEN", READER)
    assert tell(tmp_path, "found") == 3
    assert "401" in capsys.readouterr().err
    monkeypatch.delenv("CLUSTERPRINT_TOKEN")
    assert tell(tmp_path, "found") == 3
    assert "no CLUSTERPRINT_TOKEN" in capsys.readouterr().err
