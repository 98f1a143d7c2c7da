"""Makes clusterprint/gitops/requirements.txt: what CI installs, each package by version and hash. Needs uv.

.venv/bin/python tools/generate_lock.py            make it again, with the newest versions that fit
.venv/bin/python tools/generate_lock.py --check    say whether it fits pyproject.toml; needs no network
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "clusterprint" / "gitops" / "requirements.txt"
_MARK = "# Made by tools/generate_lock.py from requirements with the checksum "


def requirements() -> list[str]:
    """What clusterprint needs to run, and to be built: a wheel is built from complete bindings."""
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project, built = whole["project"], whole["build-system"]
    return sorted(
        [*project["dependencies"], *project["optional-dependencies"]["bindings"], *built["requires"]]
    )


def heading() -> str:
    """The first line of the file: it changes whenever the requirements do."""
    python = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    wanted = json.dumps([python, *requirements()])
    return f"{_MARK}{hashlib.sha256(wanted.encode()).hexdigest()}"


def fits() -> bool:
    """Whether the file was made from what pyproject.toml says now."""
    return FILE.is_file() and FILE.read_text("utf-8").split("\n", 1)[0] == heading()


def make() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        asked, made = Path(folder) / "requirements.in", Path(folder) / "requirements.txt"
        asked.write_text("\n".join(requirements()) + "\n", "utf-8")
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
        FILE.write_text(f"{heading()}\n{made.read_text('utf-8')}", "utf-8")


def main() -> None:
    """Run the command."""
    if sys.argv[1:] == ["--check"]:
        if not fits():
            sys.exit(f"{FILE.relative_to(ROOT)} does not fit pyproject.toml: run tools/generate_lock.py")
        return
    make()


if __name__ == "__main__":
    main()
