"""How commands end before their end: full disks, signals, and runs that were killed."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docs_pages.commands import exit_codes_page
from support import BLUEPRINTS, ROOT, Run

from clusterprint import synth
from clusterprint.errors import EnvironmentFailure
from clusterprint.files import atomic

GOOD = BLUEPRINTS / "vm-smallest.yaml"


def start(*arguments: str | Path, **options: Any) -> "subprocess.Popen[bytes]":
    """A command that runs by itself."""
    started: subprocess.Popen[bytes] = subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
    )  # fmt: skip
    return started


# ---- full disks


@pytest.mark.process
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["validate", "explain GCP001", "--help", "synth"])
def test_a_full_standard_output_is_no_bug(command: str, unbuffered: str, tmp_path: Path) -> None:
    paths = (
        [GOOD, "--out", tmp_path / "out"] if command == "synth" else [GOOD] if command == "validate" else []
    )
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "clusterprint", *command.split(), *map(str, paths)],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr == "error: cannot use standard output: No space left on device\n"


def test_a_report_on_a_full_device_names_it(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(GOOD.read_text())
    done = clusterprint("review", "--base", tmp_path, "--head", tmp_path, "--out", "/dev/full")
    assert (done.returncode, done.stderr) == (3, "error: cannot write /dev/full: No space left on device\n")
    assert Path("/dev/full").is_char_device(), "nothing was moved into its place"


def test_a_disk_that_fills_up_while_node_writes_is_no_bug(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object) -> None:
        raise RuntimeError("Error: ENOSPC: no space left on device, write")  # what jsii makes of it

    monkeypatch.setattr(synth, "_build", full)
    with pytest.raises(EnvironmentFailure, match=r"cannot write to .*/out: no space left on device"):
        synth.synthesize([], tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "report.md"
    atomic.write(b"old", file)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        atomic.write(b"new", file)
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("report.md", b"old")]


# ---- signals


@pytest.fixture(autouse=True)
def signals_as_usual() -> Iterator[None]:
    """Signals ignored here (under nohup, say) would be ignored by the commands that tests start."""
    numbers = (signal.SIGHUP, signal.SIGTERM, signal.SIGINT)
    ignored = [each for each in numbers if signal.getsignal(each) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.mark.process
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_command_with_its_own_exit_code(name: str) -> None:
    number = getattr(signal, name)
    process = start("-m", "clusterprint", "validate", "-")
    assert process.stdin
    process.stdin.write(b"#" * 100_000)  # more than a pipe holds: when this is done, the command is reading
    process.send_signal(number)
    _, said = process.communicate()
    assert process.returncode == 128 + number
    assert b"Traceback" not in said
    assert b"report this" not in said


@pytest.mark.process
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_leaves_nothing_beside_the_output(name: str, tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from clusterprint.files import atomic\nfrom clusterprint.cli import process_end\n"
        "process_end.clean_up_when_stopped()\n"
        f"with atomic.folder_beside(Path({str(tmp_path / 'out')!r})) as made:\n"
        "    (made / 'half').write_text('done')\n    print('begun', flush=True)\n    sys.stdin.read()\n"
    )
    process = start("-c", program)
    assert process.stdout
    assert process.stdout.readline() == b"begun\n"
    assert len(list(tmp_path.iterdir())) == 1
    process.send_signal(getattr(signal, name))
    process.communicate()
    assert process.returncode
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_synth_that_is_terminated_leaves_nothing_beside_its_output(tmp_path: Path) -> None:
    process = start("-m", "clusterprint", "synth", GOOD, "--out", tmp_path / "out")
    while not list(tmp_path.glob(".out.*")) and process.poll() is None:
        pass
    process.terminate()
    _, said = process.communicate()
    assert process.returncode in {128 + signal.SIGTERM, 0}, said
    assert not list(tmp_path.glob(".out.*"))


# ---- what killed runs leave


def left_behind(target: Path) -> Path:
    """The files beside the output of a run that was killed with SIGKILL."""
    program = (
        "import os, signal\nfrom pathlib import Path\nfrom clusterprint.files import atomic\n"
        f"with atomic.folder_beside(Path({str(target)!r})) as made:\n"
        "    (made / 'half').write_text('done')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    start("-c", program).communicate()
    (left,) = target.parent.glob(f".{target.name}.*")
    return left


@pytest.mark.process
def test_the_next_run_clears_what_a_killed_one_has_left(tmp_path: Path) -> None:
    left = left_behind(tmp_path / "out")
    other = left_behind(tmp_path / "other")
    mine = tmp_path / ".out-mine"
    mine.mkdir()
    with atomic.folder_beside(tmp_path / "out") as made:
        assert not left.exists()
        assert made.is_dir()
    left = left_behind(tmp_path / "out")
    atomic.write(b"a file of the same name is as good", tmp_path / "out")
    assert not left.exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([other.name, ".out-mine", "out"])


def test_two_runs_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    with atomic.folder_beside(tmp_path / "out") as first:
        (first / "half").write_text("done")
        with atomic.folder_beside(tmp_path / "out") as second:
            assert first != second
            assert (first / "half").exists()
        assert not second.exists()
        assert (first / "half").exists()


def test_a_link_with_such_a_name_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("kept")
    (tmp_path / ".out.clusterprint-link").symlink_to(elsewhere)
    with atomic.folder_beside(tmp_path / "out"):
        assert (elsewhere / "kept").exists()


def test_the_exit_codes_are_documented(clusterprint: Run) -> None:
    said = " ".join(clusterprint("--help").stdout.split())
    page = exit_codes_page()
    for code in ("0", "1", "2", "3", "4", "5", "6", "130", "143"):
        assert f"{code} " in said
        assert f"| {code} |" in page
