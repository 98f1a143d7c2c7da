"""A machine of kind vm: it boots as Compute Engine boots it, in front of a small Google Cloud."""

import base64
import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from nodes import warm_fakes
from nodes.machine import Done, Machine
from nodes.warm_fakes import FAKES

from clusterprint.nodes.vm import manifest, metadata
from clusterprint.plan.vm_nodes import NodeFile, NodeSettings

SETTINGS = NodeSettings(
    cluster="spani",
    group="nodes",
    gpus=8,
    local_ssds=0,
    scratch="",
    mounts=(),
    files_bucket="",
    files_manifest="",
    unlimited_memlock=False,
    driver="",
    docker=False,
    startup_script="",
)

BUCKET = "state"
MANIFEST = "clusterprint/spani/files.manifest"


class VmMachine(Machine):
    """A machine of kind vm, off at first; `boot` does what happens at a boot."""

    def __init__(self, folder: Path, settings: NodeSettings) -> None:
        super().__init__(folder, "someone")
        self.settings = settings
        self.boots = 0
        self.fake("curl", warm_fakes.body("google"))
        self.fake("systemctl", f'exec bash {FAKES / "systemctl.sh"} "$@"')
        self.fake("sleep")
        self.fake("journalctl", "printf 'Error: no permission\\n'")
        for name in ("gpg", "systemd-escape"):
            (self.bin / name).symlink_to(str(shutil.which(name)))
        self.write("etc/os-release", "ID=ubuntu\nVERSION_CODENAME=noble\n")
        self.know("google", {})
        self.know("disks", {})

    def boot(self, **changes: object) -> Done:
        """Boot, with changed settings if there are any; the outcome is that of the chain of steps."""
        self.settings = msgspec.structs.replace(self.settings, **changes)
        self.boots += 1
        self.write("proc/uptime", "20.51 100.00\n")
        self.write("proc/sys/kernel/random/boot_id", f"boot-{self.boots}\n")
        self.write("proc/sys/kernel/random/uuid", f"uuid-{self.boots}\n")
        world = self.known("disks")
        world["mounts"] = {}
        for array in world.get("arrays", {}).values():
            array["assembled"] = False
        self.know("disks", world)
        self._start_enabled_units()
        script = self.hand_out(self.settings)
        done = subprocess.run(
            ["bash", script], env=self.environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "start --no-block clusterprint-setup.service" in self.calls("systemctl")
        return self.run("run-steps")

    def hand_out(self, settings: NodeSettings) -> Path:
        """Give the metadata server what the machine gets, and the agent the start-up script."""
        world = self.known("google")
        world["attributes"] = metadata(settings)
        self.know("google", world)
        script = self.state / "script"
        script.write_text(world["attributes"]["startup-script"], "utf-8")
        return script

    def _start_enabled_units(self) -> None:
        """The actions of systemd at a boot, before Google's agents."""
        folder = self.state / "enabled"
        for unit in sorted(folder.iterdir()) if folder.exists() else []:
            if unit.name.endswith(".service"):
                subprocess.run(
                    [self.tools / "systemctl", "start", unit.name],
                    env=self.environment(),
                    capture_output=True,
                    check=False,
                )

    def status(self) -> dict[str, Any]:
        """The content of status.json."""
        status: dict[str, Any] = json.loads(self.read("var/lib/clusterprint/status.json"))
        return status

    def steps(self) -> dict[str, str]:
        """The states of all steps, in order."""
        return {step["name"]: step["state"] for step in self.status()["steps"]}

    def guest_attributes(self) -> dict[str, str]:
        """The metadata of the machine."""
        said: dict[str, str] = self.known("google").get("guest", {})
        return said

    def log(self) -> str:
        """The one log of the setup."""
        return self.read("var/log/clusterprint/setup.log")

    def upload(self, files: dict[str, str], *, executable: tuple[str, ...] = ()) -> None:
        """Put files and their list into the bucket, as Terraform does."""
        world = self.known("google")
        objects = {f"clusterprint/spani/files{path}": text for path, text in files.items()}
        listed = [
            NodeFile(
                path=path,
                object=f"clusterprint/spani/files{path}",
                md5=base64.b64encode(hashlib.md5(text.encode(), usedforsecurity=False).digest()).decode(),
                executable=path in executable,
            )
            for path, text in files.items()
        ]
        world["objects"] = {BUCKET: {**objects, MANIFEST: manifest(listed)}}
        self.know("google", world)

    def world(self, **facts: Any) -> None:
        """Change what Google Cloud is like."""
        self.know("google", {**self.known("google"), **facts})


MakeVmMachine = Callable[..., VmMachine]
