"""The lists of what CI installs: complete, by hash, and of the requirements that the project has now."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support import ROOT

LOCK = ROOT / "clusterprint/gitops/requirements.txt"
TEXT = LOCK.read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WANTED = [
    Requirement(each)
    for each in [
        *PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"]["bindings"],
        *PROJECT["build-system"]["requires"],
    ]
]
PINNED = {
    canonicalize_name(name): version
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", TEXT, re.MULTILINE)
}


def test_what_is_asked_for_is_pinned_to_a_version_that_fits() -> None:
    for wanted in WANTED:
        assert wanted.specifier.contains(PINNED[canonicalize_name(wanted.name)]), wanted


def test_it_is_complete() -> None:
    """Dependencies of a pinned package are pinned too: it is installed without them."""
    seen = 0
    for name in PINNED:
        try:
            needed = [Requirement(each) for each in requires(name) or []]
        except PackageNotFoundError:  # for another platform
            continue
        seen += 1
        for each in needed:
            if each.marker is None or each.marker.evaluate({"extra": ""}):
                assert canonicalize_name(each.name) in PINNED, f"{name} needs {each}"
    assert seen > 10


def test_every_line_has_hashes_and_none_says_where_from() -> None:
    parts = re.split(r"^(?=[A-Za-z0-9])", TEXT, flags=re.MULTILINE)[1:]
    assert len(parts) == len(PINNED)
    assert all("--hash=sha256:" in part for part in parts)
    assert "://" not in TEXT
    assert "-index-url" not in TEXT


def test_the_image_installs_az_by_hash_alone() -> None:
    text = (ROOT / "container/azure-cli.txt").read_text("utf-8")
    parts = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert any(part.startswith("azure-cli==") for part in parts)
    assert all("--hash=sha256:" in part for part in parts)
    assert "://" not in text
    [step] = [
        each for each in (ROOT / "Dockerfile").read_text("utf-8").splitlines() if "/azure/bin/pip" in each
    ]
    assert {"--require-hashes", "--no-deps", "--only-binary=:all:"} <= set(step.split())


@pytest.mark.process
def test_the_check_knows_when_it_does_not_fit(tmp_path: Path) -> None:
    lists = ("clusterprint/gitops/requirements.txt", "docs/requirements.txt", "provisioner/requirements.txt")
    ours = (
        "tools/release.txt",
        "tests/requirements.txt",
        "simcloud/pyproject.toml",
        "container/azure-cli.txt",
    )
    for name in ("tools/generate_lock.py", "pyproject.toml", "provisioner/pyproject.toml", *lists, *ours):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    command = [sys.executable, str(tmp_path / "tools/generate_lock.py"), "--check"]
    assert subprocess.run(command, check=False).returncode == 0
    project = tmp_path / "pyproject.toml"
    project.write_text(project.read_text().replace('"click>=8.1"', '"click>=8.2"'))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "run tools/generate_lock.py" in done.stderr
