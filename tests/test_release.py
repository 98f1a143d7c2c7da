"""The way to a release: changelog and versions."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
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
