"""An image of Debian with the programs that real machines have, and machines that boot from it.

All of it runs in namespaces of its own: with the process that began it, machines, bridge and mounts are gone.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import boot_cloud

#: What the images of the cloud have, as far as steps use it; the agent runs our start-up script.
PACKAGES = (
    *("systemd-sysv", "dbus", "udev", "iproute2", "procps", "ca-certificates", "curl", "jq", "openssl"),
    *("google-guest-agent", "openssh-server", "openssh-client", "openmpi-bin"),
    *(
        "munge",
        "slurm-client",
        "slurmctld",
        "slurmd",
        "slurmdbd",
        "slurm-wlm-basic-plugins",
        "mariadb-server",
    ),
)
GATEWAY = "10.0.0.1"
BRIDGE = "bench0"
# Machines in one control group would end each other's services.
_OWN_GROUP = """
name="clusterprint-$1"; shift
for each in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
    [ -e "$each/cgroup.procs" ] || continue
    mkdir -p "$each/$name" && echo $$ >"$each/$name/cgroup.procs" || exit 1
done
exec "$@"
"""


def run(*command: str | Path) -> str:
    """Run a program that has to succeed; what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
    return done.stdout


def expect(what: str, found: object, wanted: object) -> None:
    """Fail where something is not as it should be."""
    if found != wanted:
        raise RuntimeError(f"{what}: {found!r} instead of {wanted!r}")


def eventually(what: str, found: Callable[[], object], wanted: object, seconds: int = 120) -> None:
    """Wait until something is as it should be."""
    end = time.monotonic() + seconds
    while found() != wanted and time.monotonic() < end:
        time.sleep(1)
    expect(what, found(), wanted)


def image_in(cache: Path) -> Path:
    """The folder of the image; a half one does not have this name."""
    return cache / "debian-12"


def make_image(cache: Path) -> None:
    """Make the image, once; it takes the network."""
    image = image_in(cache)
    if image.is_dir():
        return
    aside = cache / "debian-12.new"
    shutil.rmtree(aside, ignore_errors=True)
    cache.mkdir(parents=True, exist_ok=True)
    run("debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", "bookworm", aside)
    _prepare(aside)
    aside.rename(image)


def _prepare(image: Path) -> None:
    """Names lead to the bench; no host keys and no machine id are shared, as in the cloud's images."""
    for key in (*(image / "etc/ssh").glob("ssh_host_*"), image / "etc/munge/munge.key"):
        key.unlink(missing_ok=True)
    (image / "etc/machine-id").write_text("")
    # As libpmix-dev has it, whose dependencies debootstrap does not get right.
    for library in (image / "usr/lib").glob("*/pmix2/lib/libpmix.so.2"):
        library.with_suffix("").symlink_to(library.name)
    # In the cloud, the agent does this before sshd starts.
    (image / "etc/systemd/system/ssh.service.d").mkdir(parents=True, exist_ok=True)
    (image / "etc/systemd/system/ssh.service.d/keys.conf").write_text(
        "[Service]\nExecStartPre=\nExecStartPre=/usr/bin/ssh-keygen -A\nExecStartPre=/usr/sbin/sshd -t\n"
    )
    run("chroot", image, "systemctl", "enable", "systemd-networkd", "ssh")


def make_network(folder: Path, image: Path) -> tuple[Path, Path, Path]:
    """The bridge with the cloud's address; a certificate of Google's names, its key, what machines trust."""
    run("ip", "link", "set", "lo", "up")
    # An address of its own: otherwise it changes whenever a machine goes.
    run("ip", "link", "add", BRIDGE, "address", "02:00:00:00:00:01", "type", "bridge")
    run("ip", "address", "add", f"{GATEWAY}/24", "dev", BRIDGE)
    run("ip", "address", "add", f"{boot_cloud.ADDRESS}/32", "dev", BRIDGE)
    run("ip", "link", "set", BRIDGE, "up")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    names = ",".join(f"DNS:{name}" for name in boot_cloud.NAMES)
    new = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=bench")
    run(*new, "-addext", f"subjectAltName={names}", "-keyout", key, "-out", certificate)
    trusted = folder / "trusted.pem"
    trusted.write_text((image / "etc/ssl/certs/ca-certificates.crt").read_text() + certificate.read_text())
    return certificate, key, trusted


class Machine:
    """A machine: its disk outlives its boots."""

    def __init__(self, folder: Path, image: Path, trusted: Path, instance: boot_cloud.Instance) -> None:
        self.instance = instance
        self.folder = folder / f"{instance.name}-{instance.id}"
        self.root = self.folder / "root"
        for name in ("root", "upper", "work"):
            (self.folder / name).mkdir(parents=True)
        layers = f"lowerdir={image},upperdir={self.folder}/upper,workdir={self.folder}/work"
        run("mount", "-t", "overlay", "overlay", "-o", layers, self.root)
        self.write("etc/hostname", f"{instance.name}\n")
        self.write("etc/ssl/certs/ca-certificates.crt", trusted.read_text())
        network = f"Address={instance.address}/24\nGateway={GATEWAY}\nLinkLocalAddressing=no\n"
        self.write("etc/systemd/network/10-host0.network", f"[Match]\nName=host0\n\n[Network]\n{network}")
        self.process: subprocess.Popen[bytes] | None = None

    def resolve(self, addresses: dict[str, str]) -> None:
        """Know the cloud by its names, and other machines by those of its internal DNS."""
        names = {
            "127.0.0.1": "localhost",
            "127.0.1.1": self.instance.name,
            boot_cloud.ADDRESS: f"metadata.google.internal metadata {' '.join(boot_cloud.NAMES)}",
        }
        names |= {
            address: f"{name}.{boot_cloud.ZONE}.c.{boot_cloud.PROJECT}.internal"
            for name, address in addresses.items()
        }
        self.write("etc/hosts", "".join(f"{address} {name}\n" for address, name in names.items()))

    def write(self, path: str, text: str) -> None:
        """Put a file on the disk."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    def read(self, path: str) -> str:
        """A file of the disk; nothing where there is none."""
        place = self.root / path
        return place.read_text("utf-8") if place.is_file() else ""

    def boot(self) -> None:
        """Switch it on."""
        self.instance.running = True
        options = ("--quiet", "--register=no", "--keep-unit", "--boot", f"--network-bridge={BRIDGE}")
        names = (
            f"--machine={self.instance.name}",
            "--resolv-conf=off",
            "--timezone=off",
            "--link-journal=no",
        )
        with (self.folder / "console").open("ab") as console:
            self.process = subprocess.Popen(
                [
                    "sh",
                    "-c",
                    _OWN_GROUP,
                    "sh",
                    self.folder.name,
                    "systemd-nspawn",
                    *options,
                    *names,
                    f"--directory={self.root}",
                ],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
            )

    def cut_power(self) -> None:
        """Nothing on it is told that it ends."""
        # The kernel ends the machine with its first process; systemd-nspawn, killed, would leave it.
        os.kill(self._init(), signal.SIGKILL)
        self._end(None)

    def shut_down(self) -> None:
        """As the cloud's button does: systemd ends what runs."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals | None) -> None:
        if self.process is None:
            raise RuntimeError(f"{self.instance.name} never booted")
        if how:
            self.process.send_signal(how)
        try:
            self.process.wait(90)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise RuntimeError(f"{self.instance.name} did not shut down within 90 seconds") from None
        finally:
            self.instance.running = False

    def inside(self, *command: str) -> str:
        """Run a program on the machine, as root; what it printed."""
        return run("nsenter", "--all", f"--target={self._init()}", *command)

    def attempt(self, *command: str) -> None:
        """Run a program on the machine, which may fail."""
        with suppress(RuntimeError):
            self.inside(*command)

    def _init(self) -> int:
        """The machine's first process."""
        if self.process is None:
            raise RuntimeError(f"{self.instance.name} never booted")
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        if not children:
            raise RuntimeError(f"{self.instance.name} is off")
        return int(children[0])

    def status(self) -> dict[str, Any]:
        """The content of status.json."""
        text = self.read("var/lib/clusterprint/status.json")
        status: dict[str, Any] = json.loads(text) if text else {}
        return status

    def wait(self, state: str = "ready", *, other_than: str = "", seconds: int = 120) -> dict[str, Any]:
        """Wait until the status of a boot other than that one says this; the status."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status = self.status()
            if status.get("state") == state and status["boot"] != other_than:
                return status
            if (self.process and self.process.poll() is not None) or (
                status.get("state") == "failed" and status["boot"] != other_than
            ):
                break
            time.sleep(0.3)
        tail = self.read("var/log/clusterprint/setup.log")[-800:]
        console = (self.folder / "console").read_text("utf-8", "replace")[-1500:]
        if self.process and self.process.poll() is None:
            console = self.inside(
                "journalctl", "--no-pager", "--lines=40", "--unit=google-*", "--unit=clusterprint-*"
            )
        raise RuntimeError(f"{self.instance.name} is not {state}: {self.status()}\n{tail}\n{console}")
