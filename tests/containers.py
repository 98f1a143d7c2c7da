"""Images that are really built from this repository's Dockerfiles, and programs that run in them.

No registry of images is asked: the base is made of packages of the Debian that the Dockerfiles name, whose
Python is the one that they name, too. buildah builds, as it needs no daemon. What runs in an image gets what
`docker run` would give it: the image's configuration, a file system and process numbers of its own, and no
network unless it is asked for.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import ROOT

_TOOLS = {"buildah": "buildah", "debootstrap": "debootstrap", "unshare": "util-linux"}
_NAMESPACES = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
_PACKAGES = "ca-certificates,python3,python3-pip,python3-venv"
_BASE = "localhost/python"
_SUITE = re.compile(r"^ARG PYTHON=python:[\d.]+-slim-(\w+)@", re.MULTILINE)
# What a pip of this machine is told that others may not be: where packages are, and whom to trust.
_OF_THE_MACHINE = re.compile(
    r"^(?:global|:env:)\.(cert|index-url|extra-index-url|proxy|trusted-host)='(.*)'$"
)
# A fresh file system over that of the image, with folders of the caller; then the program.
_ENTER = """\
set -eu
scratch=$1 root=$2 user=$3
shift 3
mount -t tmpfs tmpfs "$scratch"
mkdir "$scratch/upper" "$scratch/work" "$scratch/root"
mount -t overlay overlay -o "lowerdir=$root,upperdir=$scratch/upper,workdir=$scratch/work" "$scratch/root"
cd "$scratch/root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs tmp
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p ".$2"; else touch ".$2"; fi
  mount --bind "$1" ".$2"
  shift 2
done
shift
exec chroot --userspec="$user" --groups= . env -i "$@"
"""


def needed() -> None:
    """Skip where images cannot be built; in CI, where nothing may be skipped, a missing tool is a failure."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("builds images as root on Linux only")
    if missing := [package for tool, package in _TOOLS.items() if shutil.which(tool) is None]:
        message = f"needs tools that build images: apt-get install {' '.join(missing)}"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    if subprocess.run([*_NAMESPACES, "--net", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine allows no namespaces, so no container can run on it")


class Image(NamedTuple):
    """An image as it lies on the disk, and its configuration."""

    root: Path
    config: Mapping[str, Any]
    scratch: Path

    def command(
        self,
        *words: str,
        user: str = "",
        environment: Mapping[str, str] | None = None,
        volumes: Mapping[Path, str] | None = None,
        network: bool = False,
        program: str = "",
    ) -> list[str]:
        """The command that runs words in a container of this image, as its process 1; root is who runs it."""
        said = dict(each.split("=", 1) for each in self.config["Env"])
        variables = {"HOME": "/", **said, **(environment or {})}  # as nobody there has an entry of their own
        mounts = [part for host, inside in (volumes or {}).items() for part in (str(host), inside)]
        self.scratch.mkdir(exist_ok=True)
        return [
            *(*_NAMESPACES, *(() if network else ("--net",))),
            *("sh", "-c", _ENTER, "enter", str(self.scratch), str(self.root), user or self.config["User"]),
            *(*mounts, "--"),
            *(f"{name}={value}" for name, value in variables.items()),
            *("sh", "-c", 'cd "$0" && exec "$@"', self.config["WorkingDir"] or "/"),
            *(*([program] if program else self.config["Entrypoint"]), *words),
        ]

    def run(self, *words: str, **options: Any) -> "subprocess.CompletedProcess[str]":
        """Run words in a container to its end."""
        return subprocess.run(
            self.command(*words, **options),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


class Engine:
    """A store of images in a folder, with the base that all of ours stand on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store = ("buildah", "--root", str(folder / "store"), "--runroot", str(folder / "run"))
        (suite,) = _SUITE.findall((ROOT / "Dockerfile").read_text("utf-8"))
        self.base = f"{_BASE}:{suite}"
        self._make_base(suite)

    def build(self, name: str, folder: Path, base: str = "PYTHON") -> Image:
        """Build the Dockerfile of a folder; `base` is the argument by which it says what it stands on."""
        self._buildah(
            *("build-using-dockerfile", "--isolation", "chroot", "--format", "docker", "--layers=false"),
            *("--build-arg", f"{base}={self.base}", *self._of_this_machine(), "--tag", f"localhost/{name}"),
            str(folder),
        )
        config = json.loads(self._buildah("inspect", "--type", "image", f"localhost/{name}"))
        return Image(
            self._mounted(f"localhost/{name}")[1],
            config["Docker"]["config"],
            self._folder / f"scratch-{name}",
        )

    def close(self) -> None:
        """Let nothing of it be mounted any more, and nothing be kept: an image is large."""
        self._buildah("rm", "--all")
        # The store itself is mounted, too, where it is made of layers.
        subprocess.run(["umount", self._folder / "store/overlay"], capture_output=True, check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _make_base(self, suite: str) -> None:
        container, root = self._mounted("scratch")
        # Nobody needs it any more when the machine fails.
        careless = root / "etc/dpkg/dpkg.cfg.d/careless"
        careless.parent.mkdir(parents=True)
        careless.write_text("force-unsafe-io\n")
        self._call("debootstrap", "--variant=minbase", f"--include={_PACKAGES}", suite, str(root))
        for name in ("python", "pip"):
            (root / "usr/local/bin" / name).symlink_to(f"/usr/bin/{name}3")
        for marker in root.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            marker.unlink()  # it is Debian's alone
        for left in (*root.glob("var/cache/apt/archives/*.deb"), *root.glob("var/lib/apt/lists/*_*")):
            left.unlink()
        self._buildah("commit", "--rm", container, self.base)

    def _of_this_machine(self) -> list[str]:
        """The settings of this machine that the steps of a build use and no image keeps."""
        said = self._call(sys.executable, "-m", "pip", "config", "list")
        matches = map(_OF_THE_MACHINE.match, said.splitlines())
        found = {match[1]: match[2] for match in matches if match}
        settings = self._folder / "pip.conf"
        settings.write_text("".join(["[global]\n", *(f"{name} = {text}\n" for name, text in found.items())]))
        lent = {settings: "/etc/pip.conf"}
        certificates = Path("/etc/ssl/certs/ca-certificates.crt")
        if certificates.is_file():
            lent[certificates] = str(certificates)
        return [part for host, inside in lent.items() for part in ("--volume", f"{host}:{inside}:ro")]

    def _mounted(self, image: str) -> tuple[str, Path]:
        """A container of an image, and where its file system is."""
        container = self._buildah("from", image).strip()
        return container, Path(self._buildah("mount", container).strip())

    def _buildah(self, *words: str) -> str:
        return self._call(*self._store, *words)

    @staticmethod
    def _call(*words: str) -> str:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout
