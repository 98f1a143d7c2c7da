"""Images that are built by the simulated gcloud, and what a configuration is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from google_parts import network, subnetwork

from clusterprint_simcloud import gcloud
from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, ApiError

if TYPE_CHECKING:
    from conftest import Api

WHERE = "--project=my-project --zone=us-central1-a"
SUBNET = "projects/my-project/regions/us-central1/subnetworks/sub"
MACHINE = f"compute instances create one {WHERE} --machine-type=n2-standard-8 --boot-disk-size=50GB"
BASE = "--image-project=debian-cloud --image-family=debian-12"
IMAGE = "compute images create made --project=my-project --source-disk=one --source-disk-zone=us-central1-a"


@pytest.fixture(autouse=True)
def cloud_of_gcloud(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLOUD_VARIABLE, str(api.cloud.folder))


def run(command: str) -> int:
    return gcloud.main(command.split())


def made(api: Api) -> None:
    subnetwork(api, network(api))
    assert run(f"{MACHINE} {BASE} --network-interface=subnet={SUBNET},no-address") == 0


def test_a_stopped_machine_becomes_an_image_that_is_found(api: Api) -> None:
    made(api)
    assert run(IMAGE) == 1, "its disk is in use"
    assert run(f"compute instances stop one {WHERE}") == 0
    assert run(f"{IMAGE} --family=ours --labels=a=b") == 0
    assert run(IMAGE) == 1, "the name is taken"
    found = api.read("google_compute_images", project="my-project", filter='name = "made"')["images"]
    assert [(one["name"], one["family"], one["labels"]) for one in found] == [("made", "ours", {"a": "b"})]
    assert api.read("google_compute_images", project="my-project", filter="name=other")["images"] == []
    with pytest.raises(ApiError, match="filter"):
        api.read("google_compute_images", project="my-project", filter="family = ours")


def test_deprecated_images_are_listed_on_request_only(api: Api, capsys: pytest.CaptureFixture[str]) -> None:
    made(api)
    run(f"compute instances stop one {WHERE}")
    run(f"{IMAGE} --family=ours --labels=a=b")
    state = "compute images deprecate made --project=my-project"
    assert run(f"{state} --state=DEPRECATED --replacement=next") == 0
    listed = ["compute", "images", "list", "--project=my-project", "--format=value(name)"]
    wanted = "--filter=family=ours AND labels.a=b"
    capsys.readouterr()
    assert gcloud.main([*listed, wanted]) == 0
    assert capsys.readouterr().out == ""
    assert gcloud.main([*listed, wanted, "--show-deprecated"]) == 0
    assert capsys.readouterr().out == "made\n"
    assert run(f"{state} --state=ACTIVE") == 0
    assert gcloud.main([*listed, wanted]) == 0
    assert capsys.readouterr().out == "made\n"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (f"{BASE} --network-interface=subnet={SUBNET}x", "was not found"),
        (f"{BASE} --network-interface=subnet={SUBNET} --colour=red", "unrecognized: ['--colour']"),
        (f"{BASE} --image=x --network-interface=subnet={SUBNET}", "exactly one of"),
        (
            f"{BASE} --network-interface=subnet={SUBNET} --metadata-from-file=a=/nowhere",
            "Unable to read file",
        ),
        (BASE, "required: ['--network-interface']"),
    ],
)
def test_a_machine_that_google_would_refuse(
    api: Api, capsys: pytest.CaptureFixture[str], more: str, said: str
) -> None:
    subnetwork(api, network(api))
    assert run(f"{MACHINE} {more}") == 1
    assert said in capsys.readouterr().err


def test_an_image_that_is_not_there_is_shared_with_nobody(api: Api) -> None:
    with pytest.raises(ApiError, match=r"images/made' was not found"):
        api.create(
            "google_compute_image_iam_member",
            image="made",
            role="roles/compute.imageUser",
            member="group:all@example.com",
        )
