"""The steps of a release; RELEASING.md has their order.

python tools/release.py check-tag v1.2.3    whether everything says that this is version 1.2.3
python tools/release.py build dist          sdists and wheels of all distributions, into an empty folder; what
                                            follows is for `python -m build`
python tools/release.py sbom sbom           a bill of materials (CycloneDX) of each list of what is installed
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The folders with a pyproject.toml. They are released together, under one version.
DISTRIBUTIONS = (".", "core", "simcloud", "provisioner")
VERSIONS = (
    "clusterprint/__init__.py",
    "simcloud/clusterprint_simcloud/__init__.py",
    "provisioner/clusterprint_provisioner/__init__.py",
)
UNRELEASED = "## Unreleased"
# By the name of their bill of materials: what is described, the file with its version, and the list of all
# that is installed for it, by hash. The images that Dockerfile and provisioner/Dockerfile make have the same.
MATERIALS = {
    "clusterprint": (".", VERSIONS[0], "clusterprint/gitops/requirements.txt"),
    "clusterprint-provisioner": ("provisioner", VERSIONS[2], "provisioner/requirements.txt"),
}


def versions(root: Path) -> dict[str, str]:
    """The version that each distribution gives itself, by the file where it stands."""
    found = {
        file: re.search(r'^__version__ = "(.+)"$', (root / file).read_text("utf-8"), re.MULTILINE)
        for file in VERSIONS
    }
    return {file: match[1] if match else "" for file, match in found.items()}


def mistakes(root: Path, tag: str) -> list[str]:
    """Why this state of the repository is not what the tag says; empty when it is."""
    wanted = tag.removeprefix("v")
    found = [
        f"{file} says {version!r}, the tag {wanted!r}"
        for file, version in versions(root).items()
        if version != wanted
    ]
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    if f"\n## {wanted} (" not in changelog:
        found.append(f"CHANGELOG.md has no section '## {wanted} (DATE)': rename '{UNRELEASED}'")
    if UNRELEASED in changelog:
        found.append(f"CHANGELOG.md still has a section '{UNRELEASED}', which belongs to this release")
    return found


def build(root: Path, out: Path, *options: str) -> None:
    """Build each distribution: the sdist, and the wheel from that sdist."""
    if out.exists() and any(out.iterdir()):
        sys.exit(f"{out} is not empty: what lies there would be published too")
    for folder in DISTRIBUTIONS:
        command = [
            sys.executable,
            "-m",
            "build",
            *options,
            "--outdir",
            str(out.resolve()),
            str(root / folder),
        ]
        subprocess.run(command, check=True)


def describe(root: Path, out: Path) -> None:
    """Write the bills of materials, valid by the schema of CycloneDX. The same lists give the same bytes."""
    out.mkdir(parents=True, exist_ok=True)
    for name, (folder, version, materials) in MATERIALS.items():
        file = out / f"{name}.cdx.json"
        command = [sys.executable, "-m", "cyclonedx_py", "requirements", str(root / materials)]
        command += ["--pyproject", str(root / folder / "pyproject.toml"), "--mc-type", "application"]
        command += ["--output-reproducible", "--output-format", "JSON", "--validate"]
        subprocess.run([*command, "--output-file", str(file)], check=True)
        bill = json.loads(file.read_text("utf-8"))
        bill["metadata"]["component"]["version"] = versions(root)[
            version
        ]  # which pyproject.toml leaves to a file
        file.write_text(f"{json.dumps(bill, indent=2)}\n", "utf-8")


def main(arguments: list[str]) -> None:
    """Run a command."""
    match arguments:
        case ["check-tag", tag]:
            if found := mistakes(ROOT, tag):
                sys.exit("\n".join(found))
        case ["build", out, *options]:
            build(ROOT, Path(out), *options)
        case ["sbom", out]:
            describe(ROOT, Path(out))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
