"""Versions newer than the facts: read from clones of repositories, as `ages.py --online` reads them."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import ages
import newest
import pytest
from support import ROOT

IMAGE = "us-docker.pkg.dev/gce-ai-infra/gpudirect-gib/nccl-plugin-gib"
MANIFEST = "gpudirect-rdma/nccl-rdma-installer.yaml"
PLUGINS = "GoogleCloudPlatform/container-engine-accelerators"


def git(folder: Path, *words: str, day: str = "2026-03-09") -> None:
    who = {"NAME": "a", "EMAIL": "a@example.com", "DATE": f"{day}T12:00:00Z"}
    said = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, env=os.environ | said)


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """Two clones: Google's manifests with a newer image, and a JobSet with releases and a candidate."""
    plugins, jobset = tmp_path / PLUGINS, tmp_path / "kubernetes-sigs/jobset"
    for folder in (plugins, jobset):
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet")
    (plugins / MANIFEST).parent.mkdir()
    (plugins / MANIFEST).write_text(f"image: {IMAGE}:v9.1.1\n")
    git(plugins, "add", ".")
    git(plugins, "commit", "--quiet", "--message", "new image", day="2030-01-02")
    git(jobset, "commit", "--quiet", "--allow-empty", "--message", "all", day="2030-02-03")
    for tag in ("v0.9.0", "v0.10.1", "v90.0.0", "v91.0.0-rc.1", "tool/v99.0.0"):
        git(jobset, "tag", tag)
    return tmp_path


@pytest.mark.process
def test_the_newest_release_is_a_tag_and_no_candidate(clones: Path) -> None:
    found = newest.newest({"github": "kubernetes-sigs/jobset"}, clones)
    assert found == newest.Newest("v90.0.0", "2030-02-03", "tags of kubernetes-sigs/jobset")
    of_line = newest.newest({"github": "kubernetes-sigs/jobset", "tags": "v0."}, clones)
    assert of_line is not None
    assert of_line.version == "v0.10.1"
    assert newest.newest({"github": "kubernetes-sigs/kueue"}, clones) is None
    assert newest.newest({"github": "kubernetes-sigs/jobset"}, None) is None


@pytest.mark.process
def test_an_image_is_compared_with_the_file_it_was_read_from(clones: Path) -> None:
    assert newest.tag_in_file(clones, PLUGINS, MANIFEST, IMAGE) == "v9.1.1"
    assert newest.tag_in_file(clones, PLUGINS, MANIFEST, IMAGE[:-1]) == ""
    change = newest.last_change(clones, PLUGINS, MANIFEST)
    assert change is not None
    assert change.day == "2030-01-02"
    assert newest.last_change(clones, PLUGINS, "missing.yaml") is None


@pytest.mark.process
def test_newer_images_are_written_and_charts_are_listed(
    clones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Registries are not part of this: tests do not depend on what was released today.
    monkeypatch.setattr(newest, "_asked", lambda _: "")
    newer = {each.fact.rpartition("  ")[2]: each for each in ages.online(clones).newer}
    assert (newer["nccl-roce"].seen, newer["nccl-roce"].since) == ("v9.1.1", "2030-01-02")
    assert newer["jobset"].seen == "v90.0.0"

    catalog = tmp_path / "catalog"
    (catalog / "kubernetes").mkdir(parents=True)
    before = (ages.CATALOG / "kubernetes/components.json").read_text("utf-8")
    (catalog / "kubernetes/components.json").write_text(before, "utf-8")
    monkeypatch.setattr(ages, "CATALOG", catalog)
    assert ages.write(newer.values(), date(2030, 3, 4)) == ["nccl-roce"]
    after = json.loads((catalog / "kubernetes/components.json").read_text("utf-8"))
    expected = json.loads(before)
    expected["nccl-roce"] |= {"version": "v9.1.1", "date": "2030-03-04"}
    assert after == expected


def test_every_repository_that_a_source_names_is_one_to_clone() -> None:
    assert {PLUGINS, "kubernetes-sigs/jobset", "hashicorp/terraform-provider-google"} <= set(
        ages.repositories()
    )
    # Pins without a place to ask: images by digest, and a part of the Google Cloud CLI.
    pins = json.loads(ages.PINS.read_text("utf-8"))
    assert {each["name"] for each in pins if "upstream" not in each} == {
        "debian",
        "python",
        "gke-gcloud-auth-plugin",
    }
    images = [each for each in ages.sources().values() if each.get("releases")]
    assert all(each["repository"] for each in images)


@pytest.mark.process
def test_the_command_lists_what_to_clone() -> None:
    command: list[str | Path] = [sys.executable, ROOT / "tools/ages.py", "--repositories"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ages.repositories()
