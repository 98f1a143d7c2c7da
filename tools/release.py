"""What a release is made with; RELEASING.md says in which order.

python tools/release.py check-tag v1.2.3    whether everything says that this is version 1.2.3
python tools/release.py build dist          sdists and wheels of all distributions, into an empty folder; what
                                            follows is for `python -m build`
"""

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


def main(arguments: list[str]) -> None:
    """Run a command."""
    match arguments:
        case ["check-tag", tag]:
            if found := mistakes(ROOT, tag):
                sys.exit("\n".join(found))
        case ["build", out, *options]:
            build(ROOT, Path(out), *options)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
