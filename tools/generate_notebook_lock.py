"""Makes the list of what JupyterLab on machines of kind vm is installed from, each wheel by hash. Needs uv.

    .venv/bin/python tools/generate_notebook_lock.py     make it again; JupyterLab's version stands below

A line is a package. Only wheels for the systems that nodes have are in it: the list travels in metadata.
"""

import re
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "clusterprint/nodes/vm/files/notebook/etc/clusterprint/notebook.txt"
JUPYTERLAB_VERSION = "4.6.6"
# Debian 12 and 13, and Ubuntu 22.04 and 24.04, have these.
PYTHONS = ("310", "311", "312", "313")
_HEADING = f"""\
# JupyterLab {JUPYTERLAB_VERSION} and what it needs, each wheel by hash.
# Made by tools/generate_notebook_lock.py of clusterprint.
"""
_SYSTEM = re.compile(r"manylinux.*_(x86_64|aarch64)")


def is_wanted(wheel: str) -> bool:
    """Whether a node may install a wheel, by its name."""
    *_, python, abi, system = wheel.removesuffix(".whl").split("-")
    if system != "any" and not _SYSTEM.search(system):
        return False
    versions = [each for each in python.split(".") if each.startswith("cp3")]
    if abi == "abi3":
        return any(int(each[3:] or 0) <= int(PYTHONS[-1][1:]) for each in versions)
    if not versions:
        return "py3" in python.split(".")
    return any(each[2:] in PYTHONS for each in versions) and not abi.endswith("t")


def line(package: dict[str, Any]) -> str:
    """A package as pip's requirements have it; empty if no node needs it."""
    wheels = [each for each in package.get("wheels", ()) if is_wanted(each["url"].rpartition("/")[2])]
    marker = package.get("marker", "")
    if not wheels or re.search(r"(sys_platform|os_name) == '(darwin|win32|nt)'", marker):
        return ""
    hashes = sorted({each["hashes"]["sha256"] for each in wheels})
    # What holds for every Python of the list need not be said.
    marker = re.sub(r"^python_full_version >= '3\.10'( and )?", "", marker)
    condition = f" ; {marker}" if marker else ""
    named = f"{package['name']}=={package['version']}{condition}"
    return " ".join([named, *(f"--hash=sha256:{each}" for each in hashes)])


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        asked, made = Path(folder) / "in.txt", Path(folder) / "pylock.toml"
        asked.write_text(f"jupyterlab=={JUPYTERLAB_VERSION}\n", "utf-8")
        python = f"{PYTHONS[0][0]}.{PYTHONS[0][1:]}"
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", python]
        command += [
            "--only-binary",
            ":all:",
            "--format",
            "pylock.toml",
            "--output-file",
            str(made),
            str(asked),
        ]
        subprocess.run(command, check=True, cwd=folder)
        packages = tomllib.loads(made.read_text("utf-8"))["packages"]
    lines = [each for each in map(line, packages) if each]
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(_HEADING + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
