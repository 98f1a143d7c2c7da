"""Makes the lists of what CI installs, each package by version and hash. Needs uv.

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
#: For reviews of pull requests, in repositories of users; for our site; for the image of the provisioner; for
#: what builds, checks and describes a release, for the tests that it has to pass, and for az in our image.
REVIEWS = ROOT / "clusterprint" / "gitops" / "requirements.txt"
SITE = ROOT / "docs" / "requirements.txt"
PROVISIONER = ROOT / "provisioner" / "requirements.txt"
RELEASE = ROOT / "tools" / "release.txt"
TESTS = ROOT / "tests" / "requirements.txt"
AZURE = ROOT / "container" / "azure-cli.txt"
LISTS = (REVIEWS, SITE, PROVISIONER, RELEASE, TESTS, AZURE)
_MARK = "# Made by tools/generate_lock.py from requirements with the checksum "


def pyproject(file: Path) -> dict[str, Any]:
    """The requirements in pyproject.toml for a list."""
    folder = file.parent if file == PROVISIONER else ROOT
    return tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))


def requirements(file: Path) -> list[str]:
    """The inputs of a list.

    Reviews need what clusterprint needs to run, and to be built: a wheel is built from complete bindings.
    The site describes the language and the commands, which needs clusterprint without the engine.
    """
    if file == AZURE:
        return ["azure-cli"]
    whole = pyproject(file)
    project, built = whole["project"], whole["build-system"]
    if file == PROVISIONER:
        return sorted(project["dependencies"])
    extras = project["optional-dependencies"]
    if file == RELEASE:  # wheels are built with nothing else: see build_hooks/bindings.py
        cutter = (each for each in project["dependencies"] if each.startswith("msgspec"))
        bindings = [*extras["bindings"], *extras["cdktn-bindings"]]
        return sorted([*extras["release"], *bindings, *cutter, *built["requires"]])
    if file == TESTS:
        return _everything(extras, project["dependencies"], built["requires"])
    if file == SITE:
        engine = tuple(whole["tool"]["clusterprint-core"]["without"])
        return sorted(
            [*extras["docs"], *(each for each in project["dependencies"] if not each.startswith(engine))]
        )
    return sorted(
        [
            *project["dependencies"],
            *extras["bindings"],
            *extras["evidence"],
            *extras["sigstore"],
            *built["requires"],
        ]
    )


def _everything(extras: dict[str, list[str]], *more: list[str]) -> list[str]:
    """All that the tests need of others: for the distributions, and to install those as they are here."""
    # cdktn would take the place of cdktf: its tests have it beside the environment.
    parts = [extra for name, extra in extras.items() if not name.startswith("cdktn")]
    needed = {"editables", *(each for part in (*parts, *more) for each in part)}
    for folder in ("simcloud", "provisioner"):
        needed |= set(
            tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
        )
    return sorted(each for each in needed if not each.startswith("clusterprint"))


def heading(file: Path) -> str:
    """The first line of a list: it changes whenever the requirements do."""
    wanted = json.dumps([pyproject(file)["project"]["requires-python"], *requirements(file)])
    return f"{_MARK}{hashlib.sha256(wanted.encode()).hexdigest()}"


def fits(file: Path) -> bool:
    """Whether a list was made from what pyproject.toml says now."""
    return file.is_file() and file.read_text("utf-8").split("\n", 1)[0] == heading(file)


def make(file: Path) -> None:
    """Write a list."""
    with tempfile.TemporaryDirectory() as folder:
        asked, made = Path(folder) / "requirements.in", Path(folder) / "requirements.txt"
        asked.write_text("\n".join(requirements(file)) + "\n", "utf-8")
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
        file.write_text(f"{heading(file)}\n{made.read_text('utf-8')}", "utf-8")


def main() -> None:
    """Run the command."""
    if sys.argv[1:] == ["--check"]:
        stale = [file for file in LISTS if not fits(file)]
        if stale:
            names = " and ".join(str(file.relative_to(ROOT)) for file in stale)
            sys.exit(f"not made from what pyproject.toml says: {names}; run tools/generate_lock.py")
        return
    for file in LISTS:
        make(file)


if __name__ == "__main__":
    main()
