"""The way to a release: changelog and versions."""

import importlib.util
import shutil
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

COMMANDS = Path(sys.executable).parent


def words(text: str) -> str:
    return " ".join(text.split())


def test_every_fragment_becomes_a_line_of_the_changelog() -> None:
    """None is left out, none is told twice."""
    command = [str(COMMANDS / "towncrier"), "build", "--draft", "--version", "9.9.9", "--date", "2026-01-01"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("## 9.9.9 (2026-01-01)\n")
    lines = [line for line in done.stdout.splitlines() if line.startswith("- ")]
    fragments = release.fragments(ROOT)
    assert sorted(lines) == sorted(
        f"- {words((ROOT / 'changelog.d' / name).read_text('utf-8'))}" for name in fragments
    )


@pytest.mark.parametrize("name", ["topic.feature.md", "topic.md"])
def test_a_fragment_with_another_name_stops_a_release(name: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "changelog.d", tmp_path / "changelog.d")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "changelog.d" / name).write_text("A sentence.\n")
    command = [str(COMMANDS / "towncrier"), "build", "--draft", "--name", "x", "--version", "9.9.9"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert name in done.stderr


def repository(folder: Path, version: str) -> Path:
    for file in release.VERSIONS:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(f'__version__ = "{version}"\n')
    (folder / "changelog.d").mkdir()
    (folder / "changelog.d" / "README.md").touch()
    (folder / "CHANGELOG.md").write_text(f"# Changes\n\n## {version} (2026-01-01)\n")
    return folder


def test_a_tag_fits_what_is_released(tmp_path: Path) -> None:
    root = repository(tmp_path, "1.2.0")
    assert release.mistakes(root, "v1.2.0") == []
    (root / "changelog.d" / "late.fixed.md").touch()
    assert release.mistakes(root, "v1.2.0") == [
        "changelog.d still has late.fixed.md: run tools/release.py gather"
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
