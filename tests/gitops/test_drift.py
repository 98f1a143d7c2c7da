"""The look for drift on GitHub: one issue, whatever happens in which night."""

from pathlib import Path
from typing import Any

import pytest
from composite import Runner
from forges import WRITER
from stand_ins import Answer, StandIns

from clusterprint.gitops.fill import TEMPLATES, Values, fill

pytestmark = pytest.mark.process

WORKFLOW = next(
    each.text
    for each in fill(["github"], Values("team/clusterprint@v1", "blueprints", "main"))
    if each.template == TEMPLATES["github"][2]
)
VARIABLES = {"GCP_WORKLOAD_IDENTITY_PROVIDER": "projects/1/x", "GCP_SERVICE_ACCOUNT": "plan@example"}
BODY = "--body-file {temporary}/drift.md"


def night(folder: Path, code: int, *, issue: str = "", ref: str = "refs/heads/main") -> tuple[Any, list[str]]:
    """A run of the job where `status` ends with a code; what gh was told, without the question."""
    tools = StandIns(
        folder / "bin",
        gh=[Answer("^issue list", issue), Answer("")],
        clusterprint=[Answer("^status", "first: 1 drifted\n", code=code)],
    )
    (folder / "temporary").mkdir()
    setup = {"team/clusterprint/setup": lambda _: {"command": str(tools.folder / "clusterprint")}}
    runner = Runner(
        folder,
        folder / "temporary",
        {},
        tools.first,
        setup,
        ref=ref,
        repository="team/clusters",
        token=WRITER,
    )
    ran = runner.job(WORKFLOW, VARIABLES)
    told = [" ".join(call[1:]) for call in tools.calls if call[0] == "gh" and call[2] != "list"]
    return ran, [each.replace(str(folder / "temporary"), "{temporary}") for each in told]


def test_what_has_drifted_opens_one_issue(tmp_path: Path) -> None:
    ran, told = night(tmp_path, 4)
    assert ran.code == 0
    assert told[0].startswith("label create clusterprint-drift --force")
    assert told[1].startswith("issue create --title Clusters are not as their blueprints say")
    assert told[1].endswith(BODY)
    assert "first: 1 drifted" in (tmp_path / "temporary/drift.md").read_text()


@pytest.mark.parametrize(
    ("code", "issue", "wanted"),
    [
        (4, "7\n", [f"issue edit 7 {BODY}"]),
        (0, "7\n", ["issue close 7 --comment All clusters are as their blueprints say."]),
        (0, "", []),
    ],
)
def test_the_issue_is_kept_up_to_date_and_closed(
    tmp_path: Path, code: int, issue: str, wanted: list[str]
) -> None:
    ran, told = night(tmp_path, code, issue=issue)
    assert (ran.code, told) == (0, wanted)


def test_what_could_not_be_asked_fails_the_job_and_leaves_the_issue_alone(tmp_path: Path) -> None:
    ran, told = night(tmp_path, 3, issue="7\n")
    assert (ran.code, told) == (3, [])


def test_other_branches_are_not_looked_at(tmp_path: Path) -> None:
    ran, told = night(tmp_path, 4, ref="refs/heads/change")
    assert (ran.steps, told) == ([], [])
