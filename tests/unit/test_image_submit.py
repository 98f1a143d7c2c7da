"""Builds, as a gcloud that plays each of them tells of them."""

import json
import os
import sys
from pathlib import Path

import fake_gcloud
import msgspec
import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.image import job, submit
from clusterprint.image.lock import Lock
from clusterprint.plan.builds import ImagePlan

pytestmark = pytest.mark.process

PLAN = ImagePlan(
    project="my-project",
    region="us-south1",
    image="us-south1-docker.pkg.dev/my-project/oasis-docker/ray",
    tag="2.48.0-0123456789ab",
    inputs="0123456789abcdef",
    worker_pool="projects/my-project/locations/us-south1/workerPools/oasis-build",
    service_account="projects/my-project/serviceAccounts/oasis-builder@my-project.iam.gserviceaccount.com",
    staging="gs://my-state/clusterprint/oasis/image-source",
    timeout_seconds=3600,
    attested=False,
    files={"Dockerfile": "FROM scratch\n", "requirements.txt": "torch>=2.7.1\n"},
    arguments={"BASE_IMAGE": "rayproject/ray:2.48.0", "ODD": "$HOME and ${X}"},
    lock="oasis.image.lock",
)
NAME = PLAN.name
HERE = Path(__file__).parent


class Cloud:
    """The output and the calls of a play."""

    def __init__(self, calls: Path) -> None:
        self._calls = calls
        self.said: list[str] = []

    @property
    def calls(self) -> list[list[str]]:
        """The arguments of each call."""
        return [json.loads(line) for line in self._calls.read_text().splitlines()]

    @property
    def source(self) -> dict[str, str]:
        """The files that a build was submitted with."""
        found: dict[str, str] = json.loads(self._calls.with_suffix(".source").read_text())
        return found


@pytest.fixture
def play(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    """A gcloud on the PATH that plays what the test names."""
    wrapper = tmp_path / "bin" / "gcloud"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{fake_gcloud.__file__}" "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_GCLOUD", request.param)
    monkeypatch.setenv("FAKE_GCLOUD_CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("FAKE_IMAGE", NAME)
    monkeypatch.setattr(submit, "_LOOK_EVERY", 0.01)
    return Cloud(tmp_path / "calls")


def plays(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("play", names, indirect=True)


@plays("success")
def test_success_gives_the_image_by_digest(play: Cloud) -> None:
    lock = submit.submit(PLAN, HERE, play.said.append)
    assert lock == Lock(image=PLAN.image, digest=fake_gcloud.DIGEST, inputs=PLAN.inputs)
    assert lock.reference == f"{PLAN.image}@{fake_gcloud.DIGEST}"
    assert any("Created" in line for line in play.said)


@plays("success")
def test_the_build_runs_in_the_pool_as_the_builder_from_its_own_folder(play: Cloud) -> None:
    submit.submit(PLAN, HERE, play.said.append)
    [call] = play.calls
    assert call[:2] == ["builds", "submit"]
    assert {"--project=my-project", "--region=us-south1", f"--gcs-source-staging-dir={PLAN.staging}"} < set(
        call
    )
    assert {name: play.source[name] for name in PLAN.files} == PLAN.files
    configuration = json.loads(play.source["cloudbuild.json"])
    assert configuration["serviceAccount"] == PLAN.service_account
    assert configuration["options"]["pool"] == {"name": PLAN.worker_pool}
    assert configuration["timeout"] == "3600s"
    assert configuration["images"] == [NAME]


def test_text_is_never_read_as_a_substitution() -> None:
    [step] = job.configuration(PLAN)["steps"]
    assert "--build-arg=ODD=$$HOME and $${X}" in step["args"]


def test_the_same_plan_is_the_same_job() -> None:
    assert job.render(PLAN) == job.render(msgspec.structs.replace(PLAN))


@plays("disconnected")
def test_a_build_that_goes_on_is_waited_for(play: Cloud) -> None:
    assert submit.submit(PLAN, HERE, play.said.append).digest == fake_gcloud.DIGEST
    assert [call[1] for call in play.calls] == ["submit", "describe"]


@plays("failure", "failure-in-words")
def test_failure_shows_the_log(play: Cloud) -> None:
    with pytest.raises(submit.BuildFailed, match=r"ended with FAILURE: step 0 exited with 100"):
        submit.submit(PLAN, HERE, play.said.append)
    assert "Step #0: E: Unable to locate package libnl-3-2000" in play.said


@plays("refused")
def test_failure_without_a_build_says_what_gcloud_said(play: Cloud) -> None:
    with pytest.raises(submit.BuildFailed, match="no build was submitted"):
        submit.submit(PLAN, HERE, play.said.append)
    assert any("PERMISSION_DENIED" in line for line in play.said)
    assert [call[1] for call in play.calls] == ["submit"]


@plays("lost", "garbled")
def test_a_build_that_is_lost_sight_of_can_be_found_again(play: Cloud) -> None:
    with pytest.raises(submit.BuildFailed, match=f"--build {fake_gcloud.ID}"):
        submit.submit(PLAN, HERE, play.said.append)


@plays("no-digest", "another-image", "odd-digest")
def test_without_a_digest_nothing_is_recorded(play: Cloud) -> None:
    with pytest.raises(submit.BuildFailed, match="reports no digest"):
        submit.submit(PLAN, HERE, play.said.append)


def test_without_gcloud_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentFailure, match="install the Google Cloud CLI"):
        submit.submit(PLAN, HERE, print)
