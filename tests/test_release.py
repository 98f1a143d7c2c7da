"""The way to a release: changelog and versions."""

import importlib
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from support import ROOT

pytestmark = pytest.mark.process

_spec = importlib.util.spec_from_file_location("release", ROOT / "tools/release.py")
assert _spec is not None
assert _spec.loader is not None
release = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(release)


def repository(folder: Path, version: str) -> Path:
    for file in release.VERSIONS:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(f'__version__ = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(f"# Changes\n\n## {version} (2026-01-01)\n")
    return folder


def test_a_tag_fits_what_is_released(tmp_path: Path) -> None:
    root = repository(tmp_path, "1.2.0")
    assert release.mistakes(root, "v1.2.0") == []
    with (root / "CHANGELOG.md").open("a") as changelog:
        changelog.write("\n## Unreleased\n")
    assert release.mistakes(root, "v1.2.0") == [
        "CHANGELOG.md still has a section '## Unreleased', which belongs to this release"
    ]
    assert len(release.mistakes(root, "v1.2.1")) == len(release.VERSIONS) + 2


def test_nothing_that_lies_there_is_published_too(tmp_path: Path) -> None:
    (tmp_path / "old.whl").touch()
    command = [sys.executable, str(ROOT / "tools/release.py"), "build", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        f"{tmp_path} is not empty: what lies there would be published too\n",
    )


def test_all_distributions_have_one_version() -> None:
    assert len(set(release.versions(ROOT).values())) == 1
    assert "" not in release.versions(ROOT).values()


def test_bills_of_materials_are_valid_and_name_all_that_is_installed_by_hash(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        release.describe(ROOT, tmp_path / folder)
    for name, (_, version, materials) in release.MATERIALS.items():
        text = (tmp_path / "one" / f"{name}.cdx.json").read_text("utf-8")
        assert text == (tmp_path / "two" / f"{name}.cdx.json").read_text("utf-8"), (
            "made twice, the same bytes"
        )
        bill = json.loads(text)
        checker = JsonStrictValidator(SchemaVersion.from_version(bill["specVersion"]))
        assert checker.validate_str(text) is None
        described = bill["metadata"]["component"]
        assert (described["name"], described["version"]) == (name, release.versions(ROOT)[version])
        installed = (ROOT / materials).read_text("utf-8")
        pinned = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", installed, re.MULTILINE)
        assert sorted((each["name"], each["version"]) for each in bill["components"]) == sorted(pinned)
        hashes = {
            one["content"]
            for each in bill["components"]
            for reference in each["externalReferences"]
            for one in reference.get("hashes", [])
        }
        assert hashes == set(re.findall(r"--hash=sha256:([0-9a-f]{64})", installed))


def test_what_is_installed_for_a_release_builds_all_distributions() -> None:
    """Its builds are not isolated: what a build hook asks for and nobody installed ends them."""
    listed = set(
        re.findall(r"^([a-z0-9-]+)==", (ROOT / "tools/release.txt").read_text("utf-8"), re.MULTILINE)
    )
    ask = "from hatchling.build import get_requires_for_build_wheel as needs; print(*needs(), sep='\\n')"
    for folder in release.DISTRIBUTIONS:
        asked = subprocess.run(
            [sys.executable, "-c", ask], cwd=ROOT / folder, capture_output=True, text=True, check=True
        )
        needed = {re.split(r"[^A-Za-z0-9-]", each, maxsplit=1)[0] for each in asked.stdout.split()}
        assert needed <= listed, folder


def test_what_makes_a_release_is_installed_by_hash() -> None:
    """In its workflow nothing comes by version alone, and no build fetches a backend of its own."""
    text = (ROOT / ".github/workflows/release.yaml").read_text("utf-8")
    for line in text.splitlines():
        if "pip install" in line:
            assert "--require-hashes" in line
            assert "--only-binary=:all:" in line
        if "release.py build" in line:
            assert "--no-isolation" in line
        if "make " in line and "run:" in line:
            assert "LOCKED=1" in line
    assert "contents: read" in text
