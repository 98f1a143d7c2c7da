"""The script of Terraform that waits for the nodes of a group, with a fake gcloud."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from clusterprint.nodes import deploy

SCRIPT = Path(deploy.__file__).parent / deploy.WAIT_FOR_NODES
PLACE = "--project=p --zone=us-central1-a"
ENVIRONMENT = {
    "PROJECT": "p",
    "ZONE": "us-central1-a",
    "GROUP": "c-nodes",
    "NODES": "2",
    "SECONDS_TO_WAIT": "900",
}
# Each verb answers with a file, and with the exit code in another one.
GCLOUD = """\
#!/bin/bash
printf '%s\\n' "$*" >> "$ANSWERS/calls"
for verb in describe wait-until list-instances list-errors; do
  [[ " $* " == *" $verb "* ]] || continue
  [[ ! -f $ANSWERS/$verb ]] || cat "$ANSWERS/$verb"
  [[ ! -f $ANSWERS/$verb.code ]] || exit "$(< "$ANSWERS/$verb.code")"
  exit 0
done
exit 64
"""


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """A folder with a gcloud in it, whose group has both nodes."""
    (tmp_path / "bin").mkdir()
    for tool in ("bash", "cat"):
        found = shutil.which(tool)
        assert found
        (tmp_path / "bin" / tool).symlink_to(found)
    gcloud = tmp_path / "bin" / "gcloud"
    gcloud.write_text(GCLOUD)
    gcloud.chmod(0o755)
    (tmp_path / "list-instances").write_text("c-0,RUNNING\nc-1,STAGING\n")
    return tmp_path


def run(answers: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": str(answers / "bin"), "ANSWERS": str(answers), **ENVIRONMENT, **more}
    return subprocess.run(
        ["/bin/bash", SCRIPT], env=environment, capture_output=True, text=True, check=False, cwd=os.sep
    )


def test_nodes_that_are_there(answers: Path) -> None:
    done = run(answers)
    assert (done.returncode, done.stdout, done.stderr) == (0, "c-nodes has its 2 nodes.\n", "")
    calls = (answers / "calls").read_text().splitlines()
    assert (
        f"--quiet compute instance-groups managed wait-until c-nodes {PLACE} --stable --timeout=900" in calls
    )
    assert all(PLACE in each for each in calls)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("QUOTA_EXCEEDED", "the project has too little quota"),
        ("ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS", "us-central1-a has no such machine left"),
        ("INTERNAL_ERROR", "the group says why"),
    ],
)
def test_nodes_that_do_not_come(answers: Path, code: str, why: str) -> None:
    (answers / "wait-until.code").write_text("1")
    (answers / "list-instances").write_text("c-0,RUNNING\nc-1,\n")
    (answers / "list-errors").write_text(f"{code}\tno c-1\n")
    done = run(answers)
    assert done.returncode == 1
    assert f"c-nodes has 1 of its 2 nodes after 900 seconds: {why}" in done.stderr
    assert f"{code}\tno c-1\n" in done.stderr
    assert f"gcloud compute instance-groups managed list-errors c-nodes {PLACE}\n" in done.stderr


def test_a_stable_group_without_its_nodes(answers: Path) -> None:
    """One that does not repair gives up, and is stable."""
    (answers / "list-instances").write_text("")
    (answers / "list-errors.code").write_text("1")
    done = run(answers)
    assert done.returncode == 1
    assert "c-nodes has 0 of its 2 nodes" in done.stderr


def test_a_group_that_is_not_stable_with_all_nodes(answers: Path) -> None:
    (answers / "wait-until.code").write_text("1")
    assert run(answers).returncode == 1


def test_a_machine_without_gcloud(answers: Path) -> None:
    (answers / "bin" / "gcloud").unlink()
    done = run(answers)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nobody waited for the 2 nodes of c-nodes: there is no gcloud on this machine." in done.stdout
    assert f"list-errors c-nodes {PLACE}" in done.stdout


def test_a_gcloud_that_may_not_look(answers: Path) -> None:
    (answers / "describe.code").write_text("1")
    done = run(answers)
    assert done.returncode == 0
    assert "gcloud cannot look at their group" in done.stdout
    assert "wait-until" not in (answers / "calls").read_text()
