"""Imports into Managed Lustre by the simulated gcloud: what a real one refuses is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_filesystems import connect, lustre, network

from clusterprint_simcloud import gcloud
from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE
from clusterprint_simcloud.google.attributes import number

if TYPE_CHECKING:
    from conftest import Api

WHERE = ["--project=my-project", "--location=us-central1-a"]
AGENT = f"serviceAccount:service-{number('my-project', 12)}@gcp-sa-lustre.iam.gserviceaccount.com"
BUSY = 'metadata.target~"/instances/scratch$" AND NOT done=true'


@pytest.fixture(autouse=True)
def cloud_of_gcloud(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLOUD_VARIABLE, str(api.cloud.folder))


def made(api: Api) -> None:
    inside = network(api)
    connect(api, inside)
    lustre(api, inside)
    api.create("google_storage_bucket", name="my-sets", location="US-CENTRAL1")


def order(source: str, *more: str, instance: str = "scratch") -> int:
    command = ["--quiet", "lustre", "instances", "import-data", instance, *WHERE, "--async"]
    return gcloud.main([*command, f"--gcs-path-uri={source}", "--format=value(name)", *more])


def ask(api: Api, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert api
    capsys.readouterr()
    assert gcloud.main(["lustre", "operations", *words, *WHERE]) == 0
    return capsys.readouterr().out.strip()


def test_an_import_is_an_operation_that_ends(api: Api, capsys: pytest.CaptureFixture[str]) -> None:
    made(api)
    api.create(
        "google_storage_bucket_iam_member",
        bucket="my-sets",
        role="roles/storage.objectViewer",
        member=AGENT,
    )
    assert order("gs://my-sets/a/") == 0
    operation = capsys.readouterr().out.strip()
    assert operation.startswith("projects/my-project/locations/us-central1-a/operations/")
    assert order("gs://my-sets/") == 1
    assert "ABORTED: unable to queue the operation" in capsys.readouterr().err
    listed = ("list", f"--filter={BUSY}", "--limit=1", "--format=value(name)")
    assert ask(api, capsys, *listed) == operation
    assert ask(api, capsys, *listed) == ""
    assert ask(api, capsys, "describe", operation, "--format=value(done)") == "True"
    assert ask(api, capsys, "describe", operation, "--format=value(error.code,error.message)") == ""
    assert order("gs://my-sets/") == 0


def test_the_account_of_the_service_has_to_read_the_bucket(
    api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    made(api)
    assert order("gs://my-sets/") == 0
    operation = capsys.readouterr().out.strip()
    said = ask(api, capsys, "describe", operation, "--format=value(error.code,error.message)")
    assert said.startswith("7\t")
    assert "does not have storage.objects.list access to bucket my-sets" in said


@pytest.mark.parametrize(
    ("source", "more", "said"),
    [
        ("gs://my-sets/a", (), "ends with a slash"),
        ("my-sets/", (), "begins with gs://"),
        ("gs://my-sets/", ("--lustre-path=/a",), "does not exist"),
        ("gs://my-sets/", ("--colour=red",), "unrecognized arguments: ['--colour']"),
    ],
)
def test_other_orders_are_refused(
    source: str, more: tuple[str, ...], said: str, api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    made(api)
    assert order(source, *more) == 1
    assert said in capsys.readouterr().err


def test_what_is_not_there_is_said(api: Api, capsys: pytest.CaptureFixture[str]) -> None:
    made(api)
    assert order("gs://my-sets/", instance="other") == 1
    assert "NOT_FOUND" in capsys.readouterr().err
    for command in (
        ["operations", "describe", "projects/p/locations/l/operations/o", "--format=value(done)"],
        ["operations", "list", "--filter=done=true"],
        ["instances", "delete", "scratch"],
    ):
        assert gcloud.main(["lustre", *command, *WHERE]) == 1
        assert capsys.readouterr().err.startswith("ERROR: (gcloud.lustre) ")


def test_each_instance_is_made_at_a_time_of_its_own(api: Api) -> None:
    made(api)
    first = api.read("google_lustre_instance", instance_id="scratch")["create_time"]
    other = api.create(
        "google_lustre_instance",
        instance_id="other",
        location="us-central1-a",
        network=api.cloud.read().of("google_compute_network")[-1].id,
        capacity_gib="18000",
        per_unit_storage_throughput="500",
        filesystem="other",
    )
    assert first != other.state["create_time"]
