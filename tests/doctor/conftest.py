"""Clouds in which nothing is missing, and what shipped blueprints need of them."""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from clouds import Clouds, az_login, fake, login_file, served
from support import GOLDENS, cases

from clusterprint.doctor import Finding
from clusterprint.doctor.wanted import Wanted, of_stacks
from clusterprint.load import load

Of = Callable[[str], Wanted]

SAFE = {
    "location": "US-EAST4",
    "iamConfiguration": {"uniformBucketLevelAccess": {"enabled": True}, "publicAccessPrevention": "enforced"},
    "versioning": {"enabled": True},
    "softDeletePolicy": {"retentionDurationSeconds": "604800"},
}
PROJECT = "/cloudresourcemanager/v3/projects/([^/:]+)"
COMPUTE = "/compute/compute/v1/projects/([^/]+)"
ZONE = f"{COMPUTE}/zones/([^/]+)"
QUOTAS = "/cloudquotas/v1/projects/[^/]+/locations/global/services"
POLICY = "/orgpolicy/v2/projects/([^/]+)/policies/([^/:]+):getEffectivePolicy"
OFFERED = [{"locationId": each} for each in ("us-central1", "us-central1-a", "us-central1-b")]


def all_is_well(clouds: Clouds) -> None:
    """Clouds in which nothing is missing."""
    clouds.on("GET", PROJECT, {"state": "ACTIVE"})
    clouds.on("POST", f"{PROJECT}:testIamPermissions", lambda _, __, body: (200, body))
    clouds.on("GET", r"/cloudbilling/v1/projects/[^/]+/billingInfo", {"billingEnabled": True})
    clouds.on(
        "GET",
        r"/serviceusage/v1/projects/[^/]+/services:batchGet",
        lambda _, query, __: (
            200,
            {"services": [{"name": name, "state": "ENABLED"} for name in query["names"]]},
        ),
    )
    listed = {"quotas": [quota(name, 100_000) for name in LISTED]}
    clouds.on("GET", COMPUTE, listed)
    clouds.on("GET", f"{COMPUTE}/regions/[^/]+", listed)
    for service in ("file", "lustre"):
        clouds.on("GET", f"{QUOTAS}/{service}.googleapis.com/quotaInfos", {"quotaInfos": FILE_QUOTAS})
    clouds.on("GET", f"{ZONE}/machineTypes/([^/]+)", {})
    clouds.on("GET", f"{ZONE}/reservations/([^/]+)", reservation())
    clouds.on("GET", POLICY, {"spec": {"rules": [{"allowAll": True}]}})
    clouds.on("POST", "/cloudresourcemanager/v1/projects/[^/]+:getAncestry", {"ancestor": []})
    for service in ("lustre", "file", "netapp", "parallelstore"):
        clouds.on("GET", f"/{service}/v1/projects/[^/]+/locations", {"locations": OFFERED})
    clouds.on(
        "GET",
        r"/storage/storage/v1/b/[^/]+/iam/testPermissions",
        lambda _, query, __: (200, {"permissions": query["permissions"]}),
    )
    clouds.buckets["my-terraform-state"] = dict(SAFE)


LISTED = (
    *("NETWORKS", "SUBNETWORKS", "FIREWALLS", "ROUTERS", "GPUS_ALL_REGIONS", "CPUS_ALL_REGIONS"),
    *("INSTANCES", "INSTANCE_GROUP_MANAGERS", "RESOURCE_POLICIES", "HEALTH_CHECKS"),
    *("SSD_TOTAL_GB", "HDB_TOTAL_GB", "N2_CPUS", "CPUS", "A2_CPUS", "NVIDIA_A100_GPUS"),
)


def file_quota(name: str, limit: int, *places: str) -> dict[str, Any]:
    """A quota of a service that is not Compute Engine, in some regions or zones."""
    held = {"applicableLocations": list(places), "details": {"value": str(limit)}}
    return {"quotaId": name, "dimensionsInfos": [held]}


FILE_QUOTAS = [
    file_quota("Capacity", 1_000_000, "us-central1-a", "us-central1-b"),
    file_quota("EnterpriseStorageGibPerRegion", 100_000, "us-central1", "us-east4"),
    file_quota("HighScaleSSDStorageGibPerRegion", 100_000, "us-central1"),
]


def quota(metric: str, limit: float, usage: float = 0) -> dict[str, Any]:
    return {"metric": metric, "limit": limit, "usage": usage}


def reservation(**changed: Any) -> dict[str, Any]:
    held = {"count": "32", "inUseCount": "0", "instanceProperties": {"machineType": "a3-megagpu-8g"}}
    shared = {"shareType": "SPECIFIC_PROJECTS", "projectMap": {"my-gpu-project": {}}}
    return {"status": "READY", "specificReservation": {**held, **changed}, "shareSettings": shared}


@pytest.fixture
def clouds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clouds]:
    """Clouds in which nothing is missing, and a machine that has everything and is logged in."""
    found = Clouds()
    all_is_well(found)
    tools = tmp_path / "bin"
    fake(tools, "terraform", json.dumps({"terraform_version": "1.11.4"}))
    for name in ("gcloud", "kubectl", "gke-gcloud-auth-plugin"):
        fake(tools, name, f"{name} 1.2.3")
    with served(found) as address:
        monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
        monkeypatch.setenv("CLUSTERPRINT_GOOGLE_API", address)
        monkeypatch.setenv("CLUSTERPRINT_AZURE_API", address)
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(login_file(tmp_path, address)))
        yield found


@pytest.fixture
def wanted(tmp_path: Path) -> Of:
    """The requirements of a shipped or golden blueprint, read off its stacks."""

    def of(name: str) -> Wanted:
        blueprint = next(each for each in cases() if each.stem == name)
        document = load(blueprint).document
        assert document
        golden = json.loads((GOLDENS / f"{name}.tf.json").read_text())
        stacks = {name: golden} if "terraform" in golden else golden
        files = []
        for stack, content in stacks.items():
            files.append(tmp_path / stack / "cdk.tf.json")
            files[-1].parent.mkdir()
            files[-1].write_text(json.dumps(content))
        return of_stacks(document._replace(file=f"{blueprint.parent.name}/{name}.yaml"), files)

    return of


SUBSCRIPTION = "/subscriptions/[^/]+"
ASSIGNMENTS = "providers/Microsoft.Authorization/policyAssignments"


def on_azure(clouds: Clouds, cores: int = 1000, **sku: Any) -> None:
    """A subscription in which a cluster of H200 could be made."""
    names = ("standardNDISRH200V5Family", "cores")
    usages = [{"name": {"value": name}, "limit": cores, "currentValue": 0} for name in names]
    clouds.on("GET", SUBSCRIPTION, {"state": "Enabled", "displayName": "ours"})
    clouds.on("GET", f"{SUBSCRIPTION}/providers/[A-Za-z.]+", {"registrationState": "Registered"})
    clouds.on("GET", f"{SUBSCRIPTION}/providers/Microsoft.Compute/locations/.*/usages", {"value": usages})
    clouds.on("GET", f"{SUBSCRIPTION}/resourceGroups/[^/]+/{ASSIGNMENTS}", {"value": []})
    every = {"value": [{"actions": ["*"], "notActions": []}]}
    clouds.on("GET", f"{SUBSCRIPTION}.*/providers/Microsoft.Authorization/permissions", every)
    skus = [
        {"resourceType": "virtualMachines", "name": name, **sku}
        for name in ("Standard_ND96isr_H200_v5", "Standard_D4s_v5")
    ]
    clouds.on("GET", f"{SUBSCRIPTION}/providers/Microsoft.Compute/skus", {"value": skus})


@pytest.fixture
def azure(clouds: Clouds, tmp_path: Path) -> Clouds:
    """The same with a subscription, and an `az` that is logged in."""
    claims = base64.urlsafe_b64encode(json.dumps({"upn": "me@example.com"}).encode()).decode().rstrip("=")
    az_login(tmp_path / "bin", f"x.{claims}.x")
    on_azure(clouds)
    return clouds


def lacking(found: Iterator[Finding]) -> list[tuple[str, str, str]]:
    """The failed checks: check, message, command."""
    return [(each.check, each.message, each.fix) for each in found if each.status != "ok"]
