"""Content of the archives, and their entries in an index."""

import email
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packages.conftest import run
from support import ROOT

from clusterprint.image import provisioner

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("package")]
# In the repository, and of no use outside of it.
LEFT_OUT = re.compile(r"\.ci/|\.github/|\.pre-commit-config\.yaml|tests/cases/rules/BP21[012]/")


def files(sdist: Path) -> set[str]:
    with tarfile.open(sdist) as archive:
        return {member.name.partition("/")[2] for member in archive if not member.isdir()}


def test_the_sdist_is_what_git_knows(dist: Path) -> None:
    """No strays, and nothing forgotten: tests, docs and changelog are there."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    wanted = {name for name in listed.split("\0") if not LEFT_OUT.match(name) and (ROOT / name).is_file()}
    found = files(next(dist.glob("clusterprint-*.tar.gz"))) - {"PKG-INFO"}
    assert {name for name in found if not LEFT_OUT.match(name)} == wanted


def test_every_archive_can_be_unpacked_safely(dist: Path, tmp_path: Path) -> None:
    sdists = list(dist.glob("*.tar.gz"))
    assert sdists
    for sdist in sdists:
        with tarfile.open(sdist) as archive:
            archive.extractall(tmp_path / sdist.name, filter="data")


def test_every_wheel_is_typed_and_licensed(dist: Path) -> None:
    for wheel in dist.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
        assert any(name.endswith("/licenses/LICENSE") for name in names), wheel.name
        assert any(name.endswith("/py.typed") for name in names), wheel.name
        assert not [name for name in names if name.endswith((".pyc", ".jsii.cut"))], wheel.name


def test_what_the_image_of_the_provisioner_is_made_from_comes_along(dist: Path) -> None:
    place = "clusterprint/_assets/provisioner/"
    wheels = [
        each for each in dist.glob("*.whl") if each.name.startswith(("clusterprint-", "clusterprint_core-"))
    ]
    assert len(wheels) == 2
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            found = {
                name.removeprefix(place): archive.read(name).decode()
                for name in archive.namelist()
                if name.startswith(place)
            }
        assert found == provisioner.sources()


def test_what_an_index_shows(tmp_path: Path) -> None:
    """Built by a repository's workflow for a tag, its page has no dead ends."""
    of_a_workflow = {
        "GITHUB_REPOSITORY": "some/fork",
        "GITHUB_REF_TYPE": "tag",
        "GITHUB_REF_NAME": "v9.9.9",
    }
    for folder in (ROOT, ROOT / "core", ROOT / "simcloud", ROOT / "provisioner"):
        command = (sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path, folder)
        done = run(*command, cwd=tmp_path, **of_a_workflow)
        assert done.returncode == 0, done.stderr
    checked = run(
        sys.executable, "-m", "twine", "check", "--strict", *tmp_path.glob("*.tar.gz"), cwd=tmp_path
    )
    assert checked.returncode == 0, checked.stdout
    for sdist in tmp_path.glob("*.tar.gz"):
        with tarfile.open(sdist) as archive:
            info = archive.extractfile(f"{sdist.name.removesuffix('.tar.gz')}/PKG-INFO")
            assert info is not None
            metadata = email.message_from_bytes(info.read())
        payload = metadata.get_payload(decode=True)
        assert isinstance(payload, bytes)
        text = payload.decode()
        assert text.startswith("# clusterprint")
        assert not re.findall(r"\]\((?!https://)[^)]*\)", text)
        assert "Source, https://github.com/some/fork/tree/v9.9.9" in metadata.get_all("Project-URL", [])
        assert metadata["License-Expression"].startswith("Apache-2.0")
        assert {"Typing :: Typed", "Programming Language :: Python :: 3.14"} <= set(
            metadata.get_all("Classifier", [])
        )
        assert metadata["Author"]
        assert metadata["Keywords"]
