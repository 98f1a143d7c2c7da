"""The script that keeps a launcher until its workers answer, in a real shell with an SSH that plays along."""

import shutil
import subprocess
from pathlib import Path

import pytest

from clusterprint.nodes.gke import script

pytestmark = pytest.mark.process

# Answers for a host from its so manieth call on; 0 is never.
KEYSCAN = """#!/bin/sh
for host; do :; done
echo "$*" >>"$CALLS"
from=$(sed -n "s/^$host //p" "$ANSWERS")
calls=$(grep -c " $host\\$" "$CALLS")
[ "${from:-0}" != 0 ] && [ "$calls" -ge "$from" ] && echo "$host ssh-ed25519 AAAA"
exit 0
"""
FIRST, SECOND = (f"hpl-worker-{index}.hpl.default.svc.cluster.local" for index in (0, 1))
HOSTFILES = {
    "open_mpi": f"{FIRST} slots=2\n{SECOND} slots=2\n",
    "intel": f"{FIRST}:2\n{SECOND}:2",
}
COMMAND = ("printf", "<%s>", "mpirun", "-np", "a b", "$HOME")
PRINTED = "<mpirun><-np><a b><$HOME>"


class Launcher:
    """A folder with the programs of an image; `sleep` takes no time."""

    def __init__(self, folder: Path, *, scans: bool = True) -> None:
        self.folder = folder
        self.programs = folder / "programs"
        self.programs.mkdir()
        (folder / "calls").touch()
        for name in ("date", "sed", "grep", "sh", "printf"):
            (self.programs / name).symlink_to(shutil.which(name) or name)
        self._program("sleep", "#!/bin/sh\n")
        if scans:
            self._program("ssh-keyscan", KEYSCAN)

    def _program(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text, "utf-8")
        (self.programs / name).chmod(0o755)

    def run(
        self, hostfile: str, answers: dict[str, int], *, shell: str = "sh", seconds: int = 60
    ) -> "subprocess.CompletedProcess[str]":
        """Run the script as the container does; `answers` says from which call on each host does."""
        hosts = self.folder / "hostfile"
        hosts.write_text(hostfile, "utf-8")
        told = self.folder / "answers"
        told.write_text("".join(f"{host} {call}\n" for host, call in answers.items()), "utf-8")
        found = shutil.which(shell) or shell
        return subprocess.run(
            [found, "-c", script("mpi/launch"), "launch", str(hosts), "2222", str(seconds), *COMMAND],
            env={"PATH": str(self.programs), "CALLS": str(self.folder / "calls"), "ANSWERS": str(told)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )


@pytest.mark.parametrize("library", HOSTFILES)
@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_the_command_runs_when_all_workers_answer(tmp_path: Path, library: str, shell: str) -> None:
    done = Launcher(tmp_path).run(HOSTFILES[library], {FIRST: 1, SECOND: 3}, shell=shell)
    assert (done.returncode, done.stdout) == (0, PRINTED)
    assert done.stderr == f"waiting for {SECOND}, port 2222\n"
    assert (tmp_path / "calls").read_text("utf-8").splitlines() == [
        f"-p 2222 -T 5 {host}" for host in (FIRST, SECOND, SECOND, SECOND)
    ]


def test_a_worker_that_never_answers_is_named(tmp_path: Path) -> None:
    done = Launcher(tmp_path).run(HOSTFILES["open_mpi"], {FIRST: 1, SECOND: 0}, seconds=1)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"no SSH server answered at {SECOND}, port 2222, within 1 seconds" in done.stderr


def test_without_a_list_of_workers_nothing_runs(tmp_path: Path) -> None:
    launcher = Launcher(tmp_path)
    command = [
        shutil.which("sh") or "sh",
        "-c",
        script("mpi/launch"),
        "launch",
        "/nowhere",
        "22",
        "1",
        *COMMAND,
    ]
    done = subprocess.run(
        command,
        env={"PATH": str(launcher.programs)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode != 0
    assert done.stdout == ""


def test_an_image_without_the_tool_does_not_wait(tmp_path: Path) -> None:
    done = Launcher(tmp_path, scans=False).run(HOSTFILES["open_mpi"], {})
    assert "has no ssh-keyscan" in done.stderr
    assert (done.returncode, done.stdout) == (0, PRINTED)
