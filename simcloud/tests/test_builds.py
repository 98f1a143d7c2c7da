"""Builds of images by the simulated gcloud: all that a real one needs in the cloud has to be there."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud import gcloud
from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE

if TYPE_CHECKING:
    from conftest import Api

IMAGE = "us-central1-docker.pkg.dev/my-project/own/hpl"
ACCOUNT = "projects/my-project/serviceAccounts/builder@my-project.iam.gserviceaccount.com"


def job(folder: Path, *names: str, **options: Any) -> list[str]:
    """The command that submits a build of some files."""
    with tarfile.open(folder / "source.tgz", "w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name), io.BytesIO())
    build = {"steps": [], "images": [f"{IMAGE}:v1"], "serviceAccount": ACCOUNT, "options": options}
    (folder / "build.json").write_text(json.dumps(build))
    where = ["--project=my-project", "--region=us-central1", f"--config={folder / 'build.json'}"]
    return ["builds", "submit", str(folder / "source.tgz"), *where]


@pytest.fixture(autouse=True)
def _inside(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLOUD_VARIABLE, str(api.cloud.folder))


def made(api: Api, *, scanned: bool = False) -> None:
    """A repository, and the account that may write to it."""
    api.create("google_service_account", account_id="builder")
    scans: dict[str, Any] = {"vulnerability_scanning_config": [{"enablement_config": "INHERITED"}]}
    api.create(
        "google_artifact_registry_repository",
        repository_id="own",
        location="us-central1",
        format="DOCKER",
        **(scans if scanned else {}),
    )


def granted(api: Api) -> None:
    api.create(
        "google_artifact_registry_repository_iam_member",
        repository="own",
        location="us-central1",
        role="roles/artifactregistry.writer",
        member="serviceAccount:builder@my-project.iam.gserviceaccount.com",
    )


def test_the_same_source_is_the_same_image(
    api: Api, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(api)
    granted(api)
    digests = []
    for names in (["Dockerfile"], ["Dockerfile"], ["Dockerfile", "more"]):
        assert gcloud.main(job(tmp_path, *names)) == 0
        build = json.loads(capsys.readouterr().out)
        assert build["status"] == "SUCCESS"
        [image] = build["results"]["images"]
        assert image["name"] == f"{IMAGE}:v1"
        digests.append(image["digest"])
    assert digests[0] == digests[1] != digests[2]


def test_a_source_without_dockerfile_fails(
    api: Api, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(api)
    granted(api)
    assert gcloud.main(job(tmp_path, "other")) == 1
    assert json.loads(capsys.readouterr().out)["status"] == "FAILURE"


def test_what_a_build_needs_has_to_be_there(
    api: Api, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gcloud.main(job(tmp_path, "Dockerfile")) == 1
    assert "service account" in capsys.readouterr().err
    made(api)
    assert gcloud.main(job(tmp_path, "Dockerfile")) == 1
    assert "uploadArtifacts" in capsys.readouterr().err
    granted(api)
    pool = "projects/my-project/locations/us-central1/workerPools/build"
    assert gcloud.main(job(tmp_path, "Dockerfile", pool={"name": pool})) == 1
    assert f"worker pool {pool} was not found" in capsys.readouterr().err


@pytest.mark.parametrize("scanned", [True, False])
def test_an_image_is_scanned_where_its_repository_says_so(
    api: Api, capsys: pytest.CaptureFixture[str], *, scanned: bool
) -> None:
    made(api, scanned=scanned)
    asked = gcloud.main(["artifacts", "docker", "images", "describe", f"{IMAGE}@sha256:0"])
    assert asked == (0 if scanned else 1)
    said = capsys.readouterr()
    assert "FINISHED_SUCCESS" in said.out if scanned else "not scanned" in said.err
