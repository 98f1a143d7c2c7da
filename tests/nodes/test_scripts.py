"""Every script that runs on a machine: what holds for all of them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from every import every

import clusterprint.nodes
from clusterprint import catalog
from clusterprint.nodes import gke

NODES = Path(clusterprint.nodes.__file__).parent
BOOTSTRAP = NODES / "vm" / "bootstrap"
# What Terraform runs where it applies.
DEPLOY = [file for file in (NODES / "deploy").iterdir() if file.suffix != ".py"]
FILES = sorted(file for file in [*NODES.rglob("files/**/*"), BOOTSTRAP, *DEPLOY] if file.is_file())
SCRIPTS = [file for file in FILES if file.read_text("utf-8").startswith(("#!", "# shellcheck shell="))]
COMMANDS = [file for file in SCRIPTS if file.read_text("utf-8").startswith("#!")]


def place(file: Path) -> str:
    """Where a file of a layer lies on the machine."""
    _kind, _files, _layer, *rest = file.relative_to(NODES).parts
    return f"/{'/'.join(rest)}"


def test_there_are_scripts() -> None:
    assert len(COMMANDS) > 10


@pytest.mark.slow
def test_shellcheck_has_nothing_to_say() -> None:
    """Only shellcheck itself says what to overlook, line by line and with the reason beside it."""
    tool = shutil.which("shellcheck", path=str(Path(sys.executable).parent)) or shutil.which("shellcheck")
    assert tool is not None, "shellcheck comes with `pip install 'clusterprint[test]'`"
    libraries = {file.parent for file in SCRIPTS if file.suffix == ".sh"}
    places = [f"--source-path={folder}" for folder in sorted(libraries)]
    done = subprocess.run(
        [tool, "--external-sources", *places, *SCRIPTS], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    assert done.returncode == 0


@every(COMMANDS)
def test_a_command_is_strict(file: Path) -> None:
    text = file.read_text("utf-8")
    assert text.startswith("#!/bin/bash\n# ")
    assert re.search(r"^set -euo pipefail$", text, re.MULTILINE)


@every(each for each in SCRIPTS if each.is_relative_to(NODES / "gke"))
def test_what_a_container_runs_stops_at_the_first_failure(file: Path) -> None:
    comment, _, text = file.read_text("utf-8").partition("\nset -e")
    assert all(line.startswith("# ") for line in comment.splitlines())
    assert gke.script(file.relative_to(NODES / "gke/files").with_suffix("").as_posix()) == f"set -e{text}"


def test_every_script_of_containers_is_run() -> None:
    table = catalog.fabrics().values()
    installs = [each.install for each in table if each.install]
    used = {each.script for each in installs} | {each.prepare for each in installs}
    used |= {each.daemon.script for each in table if each.daemon} | {"mpi/launch", "nccl/with-profile"}
    interfaces = [each.interfaces for each in table if each.interfaces]
    used |= {script for each in interfaces for script in (each.script, each.beside.script)}
    files = {each.relative_to(NODES / "gke/files") for each in SCRIPTS if each.is_relative_to(NODES / "gke")}
    assert used - {""} == {each.with_suffix("").as_posix() for each in files}


@every(FILES)
def test_a_file_survives_cloud_init(file: Path) -> None:
    text = file.read_text("utf-8")
    assert text.isascii()
    assert text.replace("\n", "").isprintable(), "tabs and the like would not be seen in a review"
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert len(text.splitlines()) < 200


@every(FILES)
def test_only_commands_are_executable(file: Path) -> None:
    assert bool(file.stat().st_mode & 0o111) == (file in COMMANDS)


def test_units_start_what_is_there() -> None:
    commands = {place(file) for file in COMMANDS if file not in (BOOTSTRAP, *DEPLOY)}
    units = [file for file in FILES if file.suffix == ".service"]
    for unit in units:
        text = unit.read_text("utf-8")
        started = re.findall(r"^ExecStart=(\S+)( \S+)?$", text, re.MULTILINE)
        afterwards = re.findall(r"^ExecStartPost=(.+)$", text, re.MULTILINE)
        assert {command for command, _ in started} | {*afterwards} <= commands, unit
        assert len(started) == 1, unit
    for timer in (file for file in FILES if file.suffix == ".timer"):
        assert timer.with_suffix(".service") in units


@pytest.mark.parametrize(
    "unit",
    [
        "common/files/scratch/{}/clusterprint-scratch.service",
        "vmss/files/every/{}/clusterprint-shares.service",
    ],
)
def test_what_is_mounted_below_mnt_waits_for_the_temporary_disk(unit: str) -> None:
    """Mounted later, Azure's temporary disk at /mnt would hide it."""
    text = (NODES / unit.format("etc/systemd/system")).read_text("utf-8")
    assert re.search(r"^After=.*\bmnt\.mount\b", text, re.MULTILINE)


def test_systemd_accepts_the_units(systemd_analyze: str, tmp_path: Path) -> None:
    for file in FILES:
        if file.suffix in {".service", ".timer", ".socket"}:
            text = re.sub(
                r"^(ExecStart(?:Post)?)=.*", r"\1=/bin/true", file.read_text("utf-8"), flags=re.MULTILINE
            )
            (tmp_path / file.name).write_text(text, "utf-8")
    done = subprocess.run(
        # The template is examined through the socket that starts it.
        [systemd_analyze, "verify", "--man=no", *sorted(tmp_path.glob("*[!@].*"))],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in done.stderr.splitlines() if "clusterprint" in line] == []
