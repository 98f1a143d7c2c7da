"""Requests to Google's APIs that are right, and refused all the same; asked over plain HTTP."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from clusterprint_simcloud.api import ApiFault, ServedApis, quota, stock_out
from clusterprint_simcloud.api.descriptions import documents
from clusterprint_simcloud.api.refusing import permissions

COMPUTE = "http://compute.googleapis.com/compute/v1/projects/my-project/"
GKE = "http://container.googleapis.com/v1/projects/my-project/locations/us-central1-a/clusters"
NETWORK = {"name": "train", "autoCreateSubnetworks": False}
POOL = {"nodePool": {"name": "gpu", "initialNodeCount": 1, "config": {}}}


@pytest.fixture
def served() -> Iterator[ServedApis]:
    with ServedApis() as apis:
        yield apis


def ask(served: ServedApis, verb: str, url: str, body: Any = None) -> tuple[int, Any]:
    """The status and the document of an answer; the server takes whole URLs without TLS as well."""
    proxy = urllib.request.ProxyHandler({"http": served.environment["HTTPS_PROXY"]})
    content = json.dumps(body).encode() if body is not None else None
    asked = urllib.request.Request(  # noqa: S310
        url, content, {"Content-Type": "application/json"}, method=verb
    )
    try:
        with urllib.request.build_opener(proxy).open(asked) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def said(answer: tuple[int, Any]) -> tuple[int, str, str]:
    """A refusal: its status, reason and message."""
    error = answer[1]["error"]
    assert error["code"] == answer[0]
    return answer[0], error["errors"][0]["reason"], error["message"]


def test_a_caller_needs_the_permission_of_each_method(served: ServedApis) -> None:
    served.limits.rights = {"compute.networks.get", "compute.networks.create"}
    assert ask(served, "POST", COMPUTE + "global/networks", NETWORK)[0] == 200
    assert ask(served, "GET", COMPUTE + "global/networks/train")[0] == 200
    assert said(ask(served, "DELETE", COMPUTE + "global/networks/train")) == (
        403,
        "forbidden",
        "Required 'compute.networks.delete' permission for 'projects/my-project/global/networks/train'",
    )
    assert said(ask(served, "POST", GKE, {"cluster": {"name": "first"}}))[1] == "forbidden"
    assert [key for key in served.left if "clusters" in key] == []
    served.limits.rights = None
    assert ask(served, "DELETE", COMPUTE + "global/networks/train")[0] == 200


@pytest.mark.parametrize(
    ("method", "needed"),
    [
        ("compute.networks.insert", "compute.networks.create"),
        ("compute.routers.patch", "compute.routers.update"),
        ("compute.zoneOperations.wait", "compute.zoneOperations.get"),
        ("compute.instanceGroupManagers.createInstances", "compute.instanceGroupManagers.update"),
        ("compute.instanceGroupManagers.insert", "compute.instanceGroupManagers.create"),
        ("compute.instanceGroupManagers.delete", "compute.instanceGroupManagers.delete"),
        ("compute.instanceGroupManagers.deleteInstances", "compute.instanceGroupManagers.update"),
        ("compute.instanceGroupManagers.listManagedInstances", "compute.instanceGroupManagers.get"),
        ("container.projects.locations.clusters.create", "container.clusters.create"),
        ("container.projects.locations.clusters.nodePools.create", "container.clusters.update"),
        ("container.projects.locations.clusters.setResourceLabels", "container.clusters.update"),
        ("file.projects.locations.instances.snapshots.create", "file.snapshots.create"),
        ("iam.projects.serviceAccounts.setIamPolicy", "iam.serviceAccounts.setIamPolicy"),
        ("serviceusage.services.batchEnable", "serviceusage.services.enable"),
        ("servicenetworking.services.connections.create", "servicenetworking.services.addPeering"),
        ("storage.objects.insert", "storage.objects.create"),
        ("cloudresourcemanager.projects.setIamPolicy", "resourcemanager.projects.setIamPolicy"),
    ],
)
def test_permissions_are_named_after_resource_and_verb(method: str, needed: str) -> None:
    assert permissions(method) == (needed,)


def test_each_method_has_permissions_of_three_parts() -> None:
    for method in (method for table in documents() for method in table["methods"]):
        found = permissions(method)
        assert all(len(one.split(".")) == 3 for one in found), method
        assert found or method.endswith("operations.get"), method


def test_a_service_that_is_off_answers_nothing_until_it_is_enabled(served: ServedApis) -> None:
    served.limits.closed = {"my-project"}
    status, reason, message = said(ask(served, "POST", COMPUTE + "global/networks", NETWORK))
    assert (status, reason) == (403, "accessNotConfigured")
    assert message.startswith("compute.googleapis.com has not been used in project")
    another = COMPUTE.replace("my-project", "another")
    assert ask(served, "POST", another + "global/networks", NETWORK)[0] == 200
    services = "http://serviceusage.googleapis.com/v1/projects/my-project/services"
    assert ask(served, "POST", f"{services}/compute.googleapis.com:enable", {})[0] == 200
    assert ask(served, "POST", COMPUTE + "global/networks", NETWORK)[0] == 200
    assert said(ask(served, "GET", f"{GKE}/first"))[1] == "accessNotConfigured"
    assert ask(served, "POST", f"{services}/compute.googleapis.com:disable", {})[0] == 200
    assert said(ask(served, "GET", COMPUTE + "global/networks/train"))[1] == "accessNotConfigured"


def test_a_quota_refuses_each_request_for_more(served: ServedApis) -> None:
    served.limits.faults = [quota(r"compute\.disks\.insert", "SSD_TOTAL_GB", 500.0, "us-central1")]
    disks = COMPUTE + "zones/us-central1-a/disks"
    for _ in range(2):
        assert said(ask(served, "POST", disks, {"name": "data", "sizeGb": "600"})) == (
            403,
            "quotaExceeded",
            "Quota 'SSD_TOTAL_GB' exceeded.  Limit: 500.0 in region us-central1.",
        )
    assert not served.left
    served.limits.faults = []
    assert ask(served, "POST", disks, {"name": "data", "sizeGb": "600"})[0] == 200


def test_a_zone_without_machines_fails_the_operation_and_keeps_the_pool(served: ServedApis) -> None:
    ask(served, "POST", GKE, {"cluster": {"name": "first"}})
    served.limits.faults = [stock_out(r".*nodePools\.create", "my-project", "us-central1-a")]
    status, operation = ask(served, "POST", f"{GKE}/first/nodePools", POOL)
    assert (status, operation["status"]) == (200, "DONE")
    assert operation["error"]["code"] == 8
    assert "zones/us-central1-a' does not have enough resources available" in operation["error"]["message"]
    assert operation["statusMessage"] == operation["error"]["message"]
    assert ask(served, "GET", f"{GKE}/first/nodePools/gpu")[0] == 200
    elsewhere = GKE.replace("us-central1-a", "us-central1-b")
    ask(served, "POST", elsewhere, {"cluster": {"name": "first"}})
    assert "error" not in ask(served, "POST", f"{elsewhere}/first/nodePools", POOL)[1]


def test_an_operation_that_fails_leaves_nothing_unless_it_is_kept(served: ServedApis) -> None:
    rule = ApiFault(r"compute\.networks\.insert", message="Internal error.", in_operation=True)
    served.limits.faults = [rule]
    _, operation = ask(served, "POST", COMPUTE + "global/networks", NETWORK)
    assert operation["error"] == {"errors": [{"code": "backendError", "message": "Internal error."}]}
    assert operation["httpErrorStatusCode"] == 503
    again = ask(served, "GET", operation["selfLink"].replace("https://www", "http://compute"))[1]
    assert again["error"] == operation["error"]
    assert ask(served, "GET", COMPUTE + "global/networks/train")[0] == 404
    # The second request is not the first.
    assert "error" not in ask(served, "POST", COMPUTE + "global/networks", NETWORK)[1]
    instance = {"tier": "ZONAL", "fileShares": [{"name": "share", "capacityGb": "1024"}]}
    served.limits.faults = [
        ApiFault(r"file\..*create", status=429, message="No room.", in_operation=True, kept=True)
    ]
    files = "http://file.googleapis.com/v1/projects/my-project/locations/us-central1-a/instances"
    operation = ask(served, "POST", f"{files}?instanceId=data", instance)[1]
    assert operation["done"] is True
    assert operation["error"] == {"code": 8, "message": "No room."}
    assert "response" not in operation
    assert ask(served, "GET", f"{files}/data")[0] == 200


def test_a_slow_operation_is_asked_for_until_it_is_done(served: ServedApis) -> None:
    served.limits.faults = [ApiFault(r".*\.(insert|create)", polls=2, times=9)]
    _, operation = ask(served, "POST", COMPUTE + "global/networks", NETWORK)
    assert operation["status"] == "RUNNING"
    assert "endTime" not in operation
    url = operation["selfLink"].replace("https://www", "http://compute")
    states = [ask(served, "GET", url)[1]["status"] for _ in range(4)]
    assert states == ["RUNNING", "RUNNING", "DONE", "DONE"]
    files = "http://file.googleapis.com/v1/projects/my-project/locations/us-central1-a/instances"
    instance = {"tier": "ZONAL", "fileShares": [{"name": "share", "capacityGb": "1024"}]}
    operation = ask(served, "POST", f"{files}?instanceId=data", instance)[1]
    assert operation["done"] is False
    assert "response" not in operation
    url = f"http://file.googleapis.com/v1/{operation['name']}"
    assert [ask(served, "GET", url)[1]["done"] for _ in range(3)] == [False, False, True]


def test_a_fault_acts_on_the_requests_that_it_counts(served: ServedApis) -> None:
    rule = ApiFault(r"compute\.networks\.insert", match='"train"', nth=2, status=503, message="Try again.")
    served.limits.faults = [rule]
    networks = COMPUTE + "global/networks"
    assert ask(served, "POST", networks, NETWORK)[0] == 200
    assert ask(served, "POST", networks, {**NETWORK, "name": "other"})[0] == 200
    assert said(ask(served, "POST", networks, NETWORK)) == (503, "backendError", "Try again.")
    assert ask(served, "POST", networks, NETWORK)[0] == 409


def test_google_remembers_the_ranges_of_a_connection_as_long_as_its_network(served: ServedApis) -> None:
    ask(served, "POST", COMPUTE + "global/networks", NETWORK)
    service = "http://servicenetworking.googleapis.com/v1/services/servicenetworking.googleapis.com"
    network = "projects/123456789012/global/networks/train"
    first = {"network": network, "reservedPeeringRanges": ["first"]}
    other = {"network": network, "reservedPeeringRanges": ["other"]}
    refused = (
        400,
        "failedPrecondition",
        "Cannot modify allocated ranges in CreateConnection. Please use UpdateConnection.",
    )
    assert ask(served, "POST", f"{service}/connections", first)[0] == 200
    assert said(ask(served, "POST", f"{service}/connections", other)) == refused
    gone = ask(served, "POST", f"{service}/connections/x:deleteConnection", {"consumerNetwork": network})
    assert gone[0] == 200, gone
    assert ask(served, "GET", f"{service}/connections?network={network}")[1] == {}
    assert said(ask(served, "POST", f"{service}/connections", other)) == refused
    assert ask(served, "PATCH", f"{service}/connections/x", other)[0] == 200
    (found,) = ask(served, "GET", f"{service}/connections?network={network}")[1]["connections"]
    assert found["reservedPeeringRanges"] == ["other"]
    ask(served, "DELETE", COMPUTE + "global/networks/train")
    ask(served, "POST", COMPUTE + "global/networks", NETWORK)
    assert ask(served, "POST", f"{service}/connections", first)[0] == 200


def test_the_name_of_a_deleted_role_is_not_free(served: ServedApis) -> None:
    roles = "http://iam.googleapis.com/v1/projects/my-project/roles"
    role = {"roleId": "reader", "role": {"title": "Reader"}}
    ask(served, "POST", roles, role)
    ask(served, "DELETE", f"{roles}/reader")
    assert said(ask(served, "POST", roles, role))[:2] == (400, "failedPrecondition")
