"""Makes lock files, each package by version and hash. Needs uv.

    clusterprint/gitops/requirements.txt    what CI installs
    provisioner/requirements.txt            what is in the image of the slice provisioner

.venv/bin/python tools/generate_lock.py            make them again, with the newest versions that fit
.venv/bin/python tools/generate_lock.py --check    say whether they fit pyproject.toml; needs no network
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_MARK = "# Made by tools/generate_lock.py from requirements with the checksum "
#: Each file, and the pyproject.toml that it follows from.
FILES = {
    ROOT / "clusterprint" / "gitops" / "requirements.txt": ROOT / "pyproject.toml",
    ROOT / "provisioner" / "requirements.txt": ROOT / "provisioner" / "pyproject.toml",
}


def requirements(whole: dict[str, Any]) -> list[str]:
    """What a distribution needs to run; where a wheel is built from bindings, also what it is built with."""
    project = whole["project"]
    bindings = project.get("optional-dependencies", {}).get("bindings", [])
    built = whole["build-system"]["requires"] if bindings else []
    return sorted([*project["dependencies"], *bindings, *built])


def heading(whole: dict[str, Any]) -> str:
    """The first line of a file: it changes whenever the requirements do."""
    wanted = json.dumps([whole["project"]["requires-python"], *requirements(whole)])
    return f"{_MARK}{hashlib.sha256(wanted.encode()).hexdigest()}"


def fits(file: Path, whole: dict[str, Any]) -> bool:
    """Whether a file was made from what its pyproject.toml says now."""
    return file.is_file() and file.read_text("utf-8").split("\n", 1)[0] == heading(whole)


def make(file: Path, whole: dict[str, Any]) -> None:
    """Write a file."""
    with tempfile.TemporaryDirectory() as folder:
        asked, made = Path(folder) / "requirements.in", Path(folder) / "requirements.txt"
        asked.write_text("\n".join(requirements(whole)) + "\n", "utf-8")
        command = [
            "uv",
            "pip",
            "compile",
            "--quiet",
            "--universal",
            "--python-version",
            "3.11",
            "--generate-hashes",
        ]
        command += ["--only-binary", ":all:", "--no-header", "--no-annotate", "--no-emit-index-url"]
        subprocess.run([*command, "--output-file", made, asked], check=True, cwd=folder)
        file.write_text(f"{heading(whole)}\n{made.read_text('utf-8')}", "utf-8")


def main() -> None:
    """Run the command."""
    for file, pyproject in FILES.items():
        whole = tomllib.loads(pyproject.read_text("utf-8"))
        if sys.argv[1:] != ["--check"]:
            make(file, whole)
        elif not fits(file, whole):
            sys.exit(f"{file.relative_to(ROOT)} does not fit pyproject.toml: run tools/generate_lock.py")


if __name__ == "__main__":
    main()
