"""The script that keeps a volume whose entry has left the blueprint."""

import shutil
import subprocess
from pathlib import Path

import pytest

from clusterprint.nodes import deploy

SCRIPT = Path(deploy.__file__).parent / deploy.KEEP_DATA
BASH = str(shutil.which("bash"))


def keep(**environment: str) -> "subprocess.CompletedProcess[str]":
    """Run it with nothing but bash."""
    return subprocess.run([BASH, SCRIPT], env=environment, capture_output=True, text=True, check=False)


def test_what_is_protected_stays_and_the_way_out_is_said() -> None:
    done = keep(VOLUME="sets", MAY_BE_LOST="false")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "keep-data: sets is not deleted, because the data in it is protected. To keep it: put its entry "
        "back. To delete it: put the entry back with deletion_protection: false, and its name into "
        "storage.may_lose; apply; then remove both\n"
    )


def test_what_may_be_lost_goes() -> None:
    done = keep(VOLUME="sets", MAY_BE_LOST="true")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "sets may be lost, as the blueprint said when it was last applied\n"


@pytest.mark.parametrize("said", [{}, {"VOLUME": "sets"}, {"VOLUME": "sets", "MAY_BE_LOST": ""}], ids=str)
def test_where_nothing_is_said_nothing_goes(said: dict[str, str]) -> None:
    assert keep(**said).returncode == 1
