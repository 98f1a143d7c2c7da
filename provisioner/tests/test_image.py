"""The definition of the image: linted, pinned, without root, and of files that are there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent
TEXT = (FOLDER / "Dockerfile").read_text("utf-8")


def test_the_linter_finds_nothing() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([hadolint, FOLDER / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_it_stands_on_the_base_of_the_other_image() -> None:
    (base,) = re.findall(r"^ARG PYTHON=(\S+)$", TEXT, re.MULTILINE)
    assert f"ARG PYTHON={base}\n" in (FOLDER.parent / "Dockerfile").read_text("utf-8")


def test_what_is_copied_is_there_and_let_through() -> None:
    copied = re.findall(r"^COPY (\w\S*) ", TEXT, re.MULTILINE)
    assert sorted(copied) == ["clusterprint_provisioner", "manager", "requirements.txt"]
    ignored = (FOLDER / ".dockerignore").read_text("utf-8")
    assert all((FOLDER / name).exists() and f"!/{name}\n" in ignored for name in copied)


def test_it_does_not_run_as_root() -> None:
    assert re.search(r"^USER 65532:65532$", TEXT[TEXT.rindex("\nFROM ") :], re.MULTILINE)


@pytest.mark.process
def test_what_it_starts_takes_the_options_of_the_controller_before_it(tmp_path: Path) -> None:
    """Without settings it says which are missing, which is after the options were understood."""
    script = (FOLDER / "manager").read_text("utf-8").replace("/opt/provisioner/bin/python", sys.executable)
    (tmp_path / "manager").write_text(script)
    shell = shutil.which("sh")
    assert shell is not None
    options = ["--leader-elect", "--health-probe-bind-address=:8081", "--metrics-bind-address=:8080"]
    done = subprocess.run(
        [shell, tmp_path / "manager", *options],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(FOLDER)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"{name} is not set" for name in ("GCP_PROJECT_ID", "GCP_CLUSTER", "GCP_CLUSTER_LOCATION", "GCP_ZONE")
    ]
