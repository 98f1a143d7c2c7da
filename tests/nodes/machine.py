"""A machine in a folder: what would be put on it, fake tools, and nothing of the real machine."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nodes import warm_fakes

# What every Linux has and the scripts may use as it is; ssh-keygen and jq make and read real data.
_TEXT = (
    "awk",
    "cat",
    "cmp",
    "comm",
    "cut",
    "grep",
    "head",
    "jq",
    "paste",
    "sed",
    "shuf",
    "sort",
    "tail",
    "tee",
    "tr",
    "uniq",
    "wc",
)
_FILES = (
    "chmod",
    "dirname",
    "find",
    "ln",
    "ls",
    "md5sum",
    "mkdir",
    "mktemp",
    "mv",
    "readlink",
    "rm",
    "rmdir",
    "stat",
    "touch",
)
REAL = (
    *_TEXT,
    *_FILES,
    "base64",
    "bash",
    "date",
    "env",
    "flock",
    "kill",
    "openssl",
    "sleep",
    "ssh-keygen",
    "timeout",
    "xargs",
)

# Tools that would change the real machine or ask it; by themselves they do nothing, successfully.
SILENT = ("chattr", "chown", "modprobe", "usermod", "systemctl", "udevadm")

Done = subprocess.CompletedProcess[str]


class Machine:
    """A machine with a user. `root` stands for /, `state` is where fakes keep what they know."""

    def __init__(self, folder: Path, user: str) -> None:
        self.root = folder / "root"
        self.state = folder / "state"
        self.bin = folder / "bin"
        self.tools = folder / "tools"
        for each in (self.root / "etc", self.root / "run", self.state, self.bin, self.tools):
            each.mkdir(parents=True)
        for name in REAL:
            found = shutil.which(name)
            assert found is not None, f"the tests of scripts need {name} on the PATH"
            (self.bin / name).symlink_to(found)
        for name in SILENT:
            self.fake(name)
        self.fake("getent", '[[ $1 == passwd ]] && printf "%s:x:1000:1000::/home/%s:/bin/bash\\n" "$2" "$2"')
        self.fake("hostname", "printf 'vm-000001\\n'")
        for name in ("lsblk", "mdadm", "mkfs.xfs", "blkid", "mount", "mountpoint"):
            self.fake(name, warm_fakes.body("disks", f'{name} "$@"'))
        self.home = self.root / "home" / user
        self.home.mkdir(parents=True)
        for name in ("var/log", "etc/ssh", "etc/docker"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        self.write("etc/hosts", "127.0.0.1 localhost\n")

    def write(self, path: str, text: str, mode: int = 0o644) -> Path:
        """Put a file on the machine."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
        place.chmod(mode)
        return place

    def read(self, path: str) -> str:
        """The text of a file on the machine."""
        return (self.root / path).read_text("utf-8")

    def fake(self, name: str, body: str = "") -> None:
        """Put a tool on the machine that notes how it was called, and then does what `body` says."""
        tool = self.tools / name
        # It may be a link to a tool of the real machine, which would be overwritten.
        tool.unlink(missing_ok=True)
        call = f'printf \'%s\\n\' "{name} $*" >>"$WORLD/calls"'
        tool.write_text(
            f"#!/bin/bash\nexport WORLD={self.state}\nROOT={self.root}\n{call}\n{body}\n", "utf-8"
        )
        tool.chmod(0o755)

    def remove(self, name: str) -> None:
        """Take a tool away."""
        (self.tools / name).unlink(missing_ok=True)

    def calls(self, tool: str) -> list[str]:
        """How a tool was called, without its name."""
        file = self.state / "calls"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return [line.removeprefix(f"{tool} ") for line in lines if line.split(" ")[0] == tool]

    def environment(self) -> dict[str, str]:
        """All that a script sees of the outside."""
        return {
            "PATH": f"{self.tools}:{self.bin}",
            "HOME": str(self.home),
            "CLUSTERPRINT_ROOT": str(self.root),
            "WORLD": str(self.state),
            "REAL": str(self.bin),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }

    def run(self, command: str, *arguments: str, stdin: str = "", **more: str) -> Done:
        """Run a script of the machine by its name."""
        return subprocess.run(
            [self.script(command), *arguments],
            env={**self.environment(), **more},
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            cwd=self.home,
        )

    def kill_during(self, command: str, tool: str) -> None:
        """Run a script, and kill it and what it started, as a power cut would, while it waits for a tool."""
        self.fake(tool, "touch $WORLD/waiting; sleep 3")
        script = subprocess.Popen(
            [self.script(command)],
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        waiting = self.state / "waiting"
        deadline = time.monotonic() + 30
        while not waiting.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(script.pid, signal.SIGKILL)
        script.wait()
        waiting.unlink()

    def run_tool(self, name: str, *arguments: str) -> Done:
        """Run one of the real tools, as a script of the machine would."""
        return subprocess.run(
            [self.bin / name, *arguments],
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def script(self, command: str) -> Path:
        """Where a script of the machine is."""
        places = [self.root / "usr/local" / folder / command for folder in ("bin", "lib/clusterprint")]
        return next(place for place in places if place.exists())

    def know(self, topic: str, facts: Any) -> None:
        """Tell the fakes what the world is like."""
        (self.state / f"{topic}.json").write_text(json.dumps(facts), "utf-8")

    def known(self, topic: str) -> Any:
        """The current state of the machine."""
        return json.loads((self.state / f"{topic}.json").read_text("utf-8"))


MakeMachine = Callable[..., Machine]
