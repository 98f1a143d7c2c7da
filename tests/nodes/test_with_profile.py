"""The script that runs a job's command with the profile of a NCCL plug-in, in a real shell."""

import subprocess
from pathlib import Path

import pytest

from clusterprint.nodes.gke import script

pytestmark = pytest.mark.process

COMMAND = ("printenv", "NCCL_NET", "NCCL_TUNER_CONFIG_PATH")


def run(profile: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """Run the script as the container does, with a variable for the profile."""
    return subprocess.run(
        ["/bin/bash", "-c", script("nccl/with-profile"), "with-profile", str(profile), *command],
        env={"PATH": "/usr/bin:/bin", "NCCL_LIB_DIR": "/lib dir"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """A typical profile: bash, not for strict mode, with a false test at its end."""
    file = tmp_path / "a profile.sh"
    file.write_text(
        "export NCCL_NET=gIB\nfalse\nsource /dev/null\n"
        'export NCCL_TUNER_CONFIG_PATH="$NCCL_LIB_DIR/tuner"\n[[ $unset == 1 ]]\n',
        "utf-8",
    )
    return file


def test_a_command_has_what_the_profile_sets(profile: Path) -> None:
    done = run(profile, *COMMAND)
    assert (done.returncode, done.stdout, done.stderr) == (0, "gIB\n/lib dir/tuner\n", "")


def test_its_arguments_and_its_status_are_its_own(profile: Path) -> None:
    done = run(profile, "sh", "-c", 'printf "<%s>" "$@"; exit 7', "sh", "a b", "$HOME", "")
    assert (done.returncode, done.stdout) == (7, "<a b><$HOME><>")


def test_without_a_profile_the_command_runs_and_the_log_says_so(tmp_path: Path) -> None:
    done = run(tmp_path / "missing", "printf", "trained")
    assert (done.returncode, done.stdout) == (0, "trained")
    assert "missing: No such file or directory" in done.stderr
