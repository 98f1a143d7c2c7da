"""`clusterprint doctor` on Google Cloud and on the machine, against a stand-in for the clouds' APIs."""

import json
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clouds import WHO, Clouds, login_file, missing
from doctor.conftest import (
    COMPUTE,
    PROJECT,
    QUOTAS,
    SAFE,
    ZONE,
    Of,
    file_quota,
    lacking,
    quota,
    reservation,
)
from support import BLUEPRINTS, ROOT, Run, cases

from clusterprint.cloud import endpoints
from clusterprint.doctor import examine
from clusterprint.errors import UsageError


@pytest.mark.parametrize("text", ["", "[]", "{", '"a"', "{}", '{"type": []}', "\0", None])
def test_what_is_no_login_is_named_with_the_command_that_fixes_it(
    text: str | None, clouds: Clouds, wanted: Of, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "other.json"
    if text is None:
        file.mkdir()
    else:
        file.write_text(text)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))
    login = next(each for each in examine([wanted("vm-a3-mega-reservation")]) if each.check == "credentials")
    assert f"GOOGLE_APPLICATION_CREDENTIALS names {file}, which holds no login" in login.message
    assert login.fix.startswith("unset GOOGLE_APPLICATION_CREDENTIALS && gcloud auth")
    assert clouds.asked == []


def test_nothing_lacks(clouds: Clouds, wanted: Of) -> None:
    found = list(examine([wanted("vm-a3-mega-reservation")]))
    assert lacking(iter(found)) == []
    said = {each.check: each.message for each in found}
    assert said["terraform"] == "Terraform 1.11.4"
    assert said["credentials"] == f"application default credentials of user:{WHO}"
    assert said["reservation"] == "reservation h100-mega-2026 in us-east4-b has room for 16 more machines"
    assert said["machine_type"] == "a3-megagpu-8g is offered in us-east4-b"
    assert said["state"] == "the bucket exists, in US-EAST4, and safe"
    assert "kubectl" not in said
    assert "az" not in said
    assert "POST /token" in {f"{method} {path}" for method, path in clouds.asked}


def project_is_off(clouds: Clouds) -> None:
    clouds.on("GET", PROJECT, {"state": "DELETE_REQUESTED"})


def nobody_pays(clouds: Clouds) -> None:
    clouds.on("GET", r"/cloudbilling/v1/projects/[^/]+/billingInfo", {})


def apis_are_off(clouds: Clouds) -> None:
    clouds.on("GET", r"/serviceusage/v1/projects/[^/]+/services:batchGet", {"services": []})


def no_disk_left(clouds: Clouds) -> None:
    quotas = [
        quota("SSD_TOTAL_GB", 20_000, 19_000),
        quota("INSTANCES", 100),
        quota("INSTANCE_GROUP_MANAGERS", 9),
    ]
    clouds.on("GET", f"{COMPUTE}/regions/[^/]+", {"quotas": [*quotas, quota("RESOURCE_POLICIES", 9)]})


def no_such_machine(clouds: Clouds) -> None:
    clouds.on("GET", f"{ZONE}/machineTypes/([^/]+)", missing("a3-megagpu-8g"))


def no_reservation(clouds: Clouds) -> None:
    clouds.on("GET", f"{ZONE}/reservations/([^/]+)", missing("h100-mega-2026"))


def reservation_is_used(clouds: Clouds) -> None:
    clouds.on("GET", f"{ZONE}/reservations/([^/]+)", reservation(inUseCount="20"))


def reservation_is_automatic(clouds: Clouds) -> None:
    automatic = {**reservation(), "specificReservationRequired": False}
    clouds.on("GET", f"{ZONE}/reservations/([^/]+)", automatic)


def reservation_of_others(clouds: Clouds) -> None:
    other = reservation(instanceProperties={"machineType": "a3-ultragpu-8g"})
    clouds.on("GET", f"{ZONE}/reservations/([^/]+)", other)


def reservation_is_not_shared(clouds: Clouds) -> None:
    clouds.on("GET", f"{ZONE}/reservations/([^/]+)", {**reservation(), "shareSettings": {}})


def reservation_is_shared_with_others(clouds: Clouds) -> None:
    shared = {"shareType": "SPECIFIC_PROJECTS", "projectMap": {"other-project": {}}}
    clouds.on("GET", f"{ZONE}/reservations/([^/]+)", {**reservation(), "shareSettings": shared})


def no_bucket(clouds: Clouds) -> None:
    clouds.buckets.clear()


def weak_bucket(clouds: Clouds) -> None:
    clouds.buckets["my-terraform-state"] = {**SAFE, "versioning": {"enabled": False}}


@pytest.mark.parametrize(
    ("happen", "expected"),
    [
        (project_is_off, ("project", "DELETE_REQUESTED", "gcloud projects undelete my-gpu-project")),
        (nobody_pays, ("billing", "no billing account", "gcloud billing projects link my-gpu-project")),
        (
            apis_are_off,
            ("apis", "APIs that are off: cloud", "gcloud services enable cloudres"),
        ),
        (
            no_disk_left,
            (
                "quota",
                "SSD_TOTAL_GB in us-east4: 16,000 GB are needed, the limit is 20,000, 19,000 of them in use",
                "SSD-TOTAL-GB-per-project-region --preferred-value=35000 --dimensions=region=us-east4",
            ),
        ),
        (no_such_machine, ("machine_type", "not offered to this project in us-east4-b", "machines a3-mega")),
        (
            no_reservation,
            ("reservation", "there is no reservation h100", "--project=my-capacity-project"),
        ),
        (
            reservation_is_used,
            ("reservation", "12 of 32 machines left, and 16 are", "reservations list"),
        ),
        (
            reservation_is_not_shared,
            ("reservation", "is not shared with my-gpu-project", "--project=my-capacity-project"),
        ),
        (
            reservation_is_shared_with_others,
            ("reservation", "is not shared with my-gpu-project", "--project=my-capacity-project"),
        ),
        (
            reservation_is_automatic,
            ("reservation", "consumed automatically and cannot be named", "list --project"),
        ),
        (reservation_of_others, ("reservation", "of a3-ultragpu-8g, not of a3-megagpu-8g", "list --project")),
        (no_bucket, ("state", "no such bucket", "clusterprint init state blueprints/vm-a3-mega-reservation")),
        (weak_bucket, ("state", "versioning is off", "update gs://my-terraform-state --versioning")),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_lacks_is_said_with_what_fixes_it(
    clouds: Clouds, wanted: Of, happen: Callable[[Clouds], None], expected: tuple[str, str, str]
) -> None:
    happen(clouds)
    check, message, fix = expected
    found = lacking(examine([wanted("vm-a3-mega-reservation")]))
    assert [name for name, _, _ in found] == [check], found
    ((_, said, command),) = found
    assert message in said
    assert fix in command


def test_permissions_that_are_missing_come_with_roles_that_have_them(clouds: Clouds, wanted: Of) -> None:
    without = {"compute.instanceTemplates.create", "compute.networks.create"}
    clouds.on(
        "POST",
        f"{PROJECT}:testIamPermissions",
        lambda _, __, body: (
            200,
            {"permissions": [each for each in body["permissions"] if each not in without]},
        ),
    )
    ((check, message, fix),) = lacking(examine([wanted("vm-smallest")]))
    assert check == "permissions"
    assert message.startswith("2 of ")
    assert "compute.instanceTemplates.create, compute.networks.create" in message
    assert f"gcloud projects add-iam-policy-binding my-gpu-project --member=user:{WHO}" in fix
    assert "--role=roles/compute." in fix


def test_a_permission_that_a_project_does_not_know_hides_no_other(clouds: Clouds, wanted: Of) -> None:
    def refuse(_: Any, __: Any, body: Any) -> tuple[int, Any]:
        if "compute.networks.create" in body["permissions"]:
            return 400, {"error": {"message": "Permission compute.networks.create is not valid"}}
        return 200, {
            "permissions": [each for each in body["permissions"] if each != "iam.serviceAccounts.get"]
        }

    clouds.on("POST", f"{PROJECT}:testIamPermissions", refuse)
    found = [each for each in examine([wanted("vm-smallest")]) if each.status != "ok"]
    assert [(each.check, each.status) for each in found] == [
        ("permissions", "lacks"),
        ("permissions", "unasked"),
    ]
    assert "iam.serviceAccounts.get" in found[0].message
    assert "compute.networks.create" in found[1].message


FAMILY = {
    "metric": "compute.googleapis.com/preemptible_nvidia_h200_gpus",
    "dimensionsInfos": [
        {"details": {"value": "0"}},
        {"dimensions": {"region": "us-south1"}, "details": {"value": "64"}},
    ],
}


@pytest.mark.parametrize(("limit", "short"), [("160", False), ("64", True), ("-1", False)])
def test_newer_quotas_are_asked_for_by_region_and_family(
    clouds: Clouds, wanted: Of, limit: str, short: bool
) -> None:
    entry = {"dimensions": {"region": "us-south1"}, "details": {"value": limit}}
    info = {**FAMILY, "dimensionsInfos": [FAMILY["dimensionsInfos"][0], entry]}
    local = {
        "metric": "compute.googleapis.com/preemptible_local_ssd_gb",
        "dimensionsInfos": [{"details": {"value": "999999"}}],
    }
    place = r"/cloudquotas/v1/projects/[^/]+/locations/global/services/compute.googleapis.com/quotaInfos"
    clouds.on(
        "GET",
        place,
        lambda _, query, __: (
            200,
            {"quotaInfos": [local]} if "pageToken" in query else {"quotaInfos": [info], "nextPageToken": "2"},
        ),
    )
    clouds.on("GET", f"{ZONE}/machineTypes/([^/]+)", {})
    found = [each for each in lacking(examine([wanted("ray-h200")])) if each[0] == "quota"]
    said = [message for _, message, _ in found if "H200" in message]
    assert said == (
        ["PREEMPTIBLE_NVIDIA_H200_GPUS in us-south1: 160 GPUs are needed, the limit is 64"] if short else []
    )


def test_a_quota_that_nobody_knows_is_not_taken_for_enough(clouds: Clouds, wanted: Of) -> None:
    clouds.on("GET", f"{COMPUTE}/regions/[^/]+", {"quotas": []})
    clouds.on("GET", r"/cloudquotas/.*", {"quotaInfos": []})
    found = [each for each in examine([wanted("vm-smallest")]) if each.status == "unasked"]
    assert any("NVIDIA_A100_GPUS" in each.message for each in found)
    assert {each.check for each in found} == {"quota"}


def test_quotas_of_file_systems_are_those_of_their_zone_or_region(clouds: Clouds, wanted: Of) -> None:
    wide = file_quota("Capacity", 0, "us-central1-a", "us-central1-b", "us-east4-a")
    infos = [wide, file_quota("Capacity", 18_000, "us-central1-b"), file_quota("Capacity", 9, "us-east4-b")]
    clouds.on("GET", f"{QUOTAS}/lustre.googleapis.com/quotaInfos", {"quotaInfos": infos})
    found = lacking(examine([wanted("gke-lustre-training")]))
    said = "lustre.googleapis.com/Capacity in us-central1-b: 36,000 GiB are needed, the limit is 18,000"
    assert said in [message for check, message, _ in found if check == "quota"]


@pytest.mark.parametrize("name", [each.stem for each in cases()])
def test_the_requirements_of_every_cluster_are_found(wanted: Of, name: str) -> None:
    found = wanted(name)
    assert found.bucket
    assert found.rights
    assert found.machines or found.kind in {"gke", "ray"}


def test_who_may_not_look_is_told_so(clouds: Clouds, wanted: Of) -> None:
    clouds.on("GET", COMPUTE, (403, {"error": {"message": "Required 'compute.projects.get' permission"}}))
    found = [each for each in examine([wanted("vm-smallest")]) if each.status != "ok"]
    assert [(each.check, each.status) for each in found] == [("quota", "unasked")]
    assert "no access with this login: Required 'compute.projects.get' permission (403)" in found[0].message


@pytest.mark.parametrize("answer", [(503, {}), (200, b"<html>a proxy</html>"), (429, {})])
def test_an_answer_that_is_none_leaves_the_rest_to_be_asked(
    clouds: Clouds, wanted: Of, answer: tuple[int, Any]
) -> None:
    clouds.on("GET", r"/cloudbilling/.*", answer)
    found = [each for each in examine([wanted("vm-smallest")]) if each.status != "ok"]
    assert [(each.check, each.status) for each in found] == [("billing", "unasked")]


def test_a_login_that_has_expired_is_fixed_once(clouds: Clouds, wanted: Of) -> None:
    clouds.tokens = (
        400,
        {"error": "invalid_grant", "error_description": "Token has been revoked."},
    )
    found = [each for each in examine([wanted("vm-smallest")]) if each.status != "ok"]
    assert [each.check for each in found if each.status == "lacks"] == ["credentials"]
    assert found[0].fix == "gcloud auth application-default login"
    assert {each.fix for each in found[1:]} == {""}
    assert [path for _, path in clouds.asked] == ["/token"]


@pytest.mark.usefixtures("clouds")
def test_without_a_connection_nothing_lacks_and_nothing_is_known(
    wanted: Of, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = "http://127.0.0.1:9"
    monkeypatch.setenv("CLUSTERPRINT_GOOGLE_API", nowhere)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(login_file(tmp_path, nowhere)))
    found = [each for each in examine([wanted("vm-smallest")]) if each.status != "ok"]
    assert {each.status for each in found} == {"unasked"}
    assert {each.message for each in found} == {"Google cannot be reached to log in: no connection"}


def test_programs_that_are_missing_or_old(
    wanted: Of, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    shell = shutil.which("sh")
    assert shell
    (tmp_path / "bin" / "terraform").write_text("#!" + shell + '\necho \'{"terraform_version": "1.3.9"}\'\n')
    (tmp_path / "bin" / "terraform").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    found = [each for each in examine([wanted("gke-smallest")], offline=True) if each.status == "lacks"]
    assert [each.check for each in found] == ["terraform", "gcloud", "kubectl", "gke-gcloud-auth-plugin"]
    assert "Terraform 1.3.9 is too old" in found[0].message
    assert found[-1].fix == "gcloud components install gke-gcloud-auth-plugin"


@pytest.mark.usefixtures("clouds")
@pytest.mark.parametrize(
    ("library", "fix"),
    [
        ("google.auth.transport.requests", "pip install 'google-auth[requests]>=2.40'"),
        ("azure.identity", "pip install 'azure-identity>=1.20'"),
    ],
)
def test_without_the_libraries_it_says_what_to_install(
    wanted: Of, library: str, fix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    found = [each for each in examine([wanted("vmss-h200")]) if each.fix.startswith("pip ")]
    assert {(each.status, each.fix) for each in found} == {("unasked", fix)}
    assert (
        fix.split("'")[1]
        in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["cloud"]
    )


# ---- the command


def test_offline_the_exit_code_says_that_not_all_is_known(clusterprint: Run) -> None:
    done = clusterprint("doctor", BLUEPRINTS / "vm-smallest.yaml", "--offline", "--format", "json")
    data = json.loads(done.stdout)
    assert done.returncode == (1 if data["lacks"] else 3)
    assert data["unasked"] == sum(each["status"] == "unasked" for each in data["findings"]) > 5
    assert {each["message"] for each in data["findings"] if each["check"] == "state"} == {
        "not asked: --offline"
    }


def test_a_broken_blueprint_is_not_looked_at(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("clusterprint: v1\nkind: vm\n")
    done = clusterprint("doctor", tmp_path / "x.yaml")
    assert (done.returncode, done.stdout) == (1, "")
    assert "nothing is checked" in done.stderr


def test_tokens_go_to_no_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUSTERPRINT_GOOGLE_API", "http://example.com")
    with pytest.raises(UsageError, match="https"):
        endpoints.google("compute")
