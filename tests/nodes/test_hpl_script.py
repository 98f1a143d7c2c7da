"""The script that builds HPL, of a blueprint for machines: with fakes of all that it would change."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nodes.conftest import need
from nodes.machine import Machine
from support import ROOT

SCRIPT = ROOT / "blueprints" / "mpi" / "build-hpl.sh"


@pytest.fixture
def builder(tmp_path: Path) -> Machine:
    need("sha256sum")
    machine = Machine(tmp_path, "root")
    (machine.bin / "sha256sum").symlink_to(str(shutil.which("sha256sum")))
    for tool in ("apt-get", "make", "install"):
        machine.fake(tool)
    machine.fake("nproc", "echo 4")
    machine.fake("curl", 'while [[ $1 != --output ]]; do shift; done; printf archive >"$2"')
    # What is in the archive.
    machine.fake(
        "tar", "printf '#!/bin/sh\\necho \"$@\" >$WORLD/configured\\n' >configure; chmod 755 configure"
    )
    return machine


def build(machine: Machine, script: str) -> subprocess.CompletedProcess[str]:
    file = machine.state / "build-hpl.sh"
    file.write_text(script, "utf-8")
    return subprocess.run(
        ["bash", file], env=machine.environment(), capture_output=True, text=True, check=False
    )


def test_what_is_not_what_was_pinned_is_not_built(builder: Machine) -> None:
    done = build(builder, SCRIPT.read_text("utf-8"))
    assert done.returncode != 0
    assert builder.calls("tar") == []
    assert builder.calls("install") == []


def test_it_is_built_once(builder: Machine) -> None:
    # The checksum of the archive of this test, and a place of this test.
    text = SCRIPT.read_text("utf-8")
    pinned = text.partition("SHA256=")[2].partition("\n")[0]
    place = builder.root / "xhpl"
    digest = builder.run_tool("sha256sum", str(builder.write("archive", "archive"))).stdout.split()[0]
    text = text.replace(pinned, digest)
    text = text.replace("/usr/local/bin/xhpl", str(place))
    done = build(builder, text)
    assert done.returncode == 0, done.stderr
    assert "CC=mpicc" in (builder.state / "configured").read_text("utf-8")
    assert builder.calls("install") == [f"--mode 755 testing/xhpl {place}"]
    builder.write("xhpl", "", 0o755)
    assert build(builder, text).returncode == 0
    assert len(builder.calls("apt-get")) == 2


def test_shellcheck_has_nothing_to_say() -> None:
    tool = shutil.which("shellcheck", path=str(Path(sys.executable).parent)) or shutil.which("shellcheck")
    assert tool is not None
    done = subprocess.run([tool, SCRIPT], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
