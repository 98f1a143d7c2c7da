"""Google's APIs over HTTP: what is judged, kept, filled in and refused, and their descriptions."""

from __future__ import annotations

import json
import re
import ssl
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clusterprint_simcloud.api import Apis, ServedApis
from clusterprint_simcloud.api.descriptions import documents, find
from clusterprint_simcloud.api.judging import accepted

COMPUTE = "https://compute.googleapis.com/compute/v1/projects/my-project/"
GKE = "https://container.googleapis.com/v1/projects/my-project/locations/us-central1-a/clusters"
NETWORK = {"name": "train", "autoCreateSubnetworks": False}


@pytest.fixture
def apis() -> Apis:
    """The APIs without their server."""
    return Apis()


def ask(apis: Apis, verb: str, url: str, body: Any = None) -> dict[str, Any]:
    status, answer = apis.answer(verb, url, json.dumps(body).encode() if body is not None else b"")
    assert status == 200, answer
    return answer


def refused(apis: Apis, verb: str, url: str, body: Any = None) -> tuple[int, str]:
    status, answer = apis.answer(verb, url, json.dumps(body).encode() if body is not None else b"")
    assert answer["error"]["code"] == status
    return status, answer["error"]["message"]


@pytest.mark.parametrize(
    ("url", "body", "said"),
    [
        ("global/networks", {**NETWORK, "mtuu": 1}, "mtuu: Invalid JSON payload received. Unknown name"),
        ("global/networks", {**NETWORK, "routingConfig": {"modus": 1}}, "at 'routingConfig'"),
        ("global/networks", {**NETWORK, "mtu": "1460"}, 'mtu: "1460" is no integer'),
        ("global/networks", {**NETWORK, "mtu": True}, "mtu: true is no integer"),
        ("global/networks", {**NETWORK, "autoCreateSubnetworks": "no"}, '"no" is no boolean'),
        ("global/networks", {**NETWORK, "routingConfig": []}, "routingConfig: [] is no object"),
        ("global/networks", {**NETWORK, "peerings": {}}, "peerings: {} is no list"),
        ("global/networks", {**NETWORK, "description": 5}, "description: 5 is no string"),
        ("global/networks", {**NETWORK, "routingConfig": {"routingMode": "FAR"}}, '"FAR" is none of'),
        ("global/networks", {"name": "Train"}, 'name: "Train" does not match'),
        ("global/networks", {**NETWORK, "subnetworks": ["x"]}, "only the API sets this field"),
        ("global/networks?zone=a", NETWORK, '?zone: Invalid JSON payload received. Unknown name "zone"'),
        ("zones/Zone_A/disks", {"name": "data"}, "{zone}: 'Zone_A' does not match"),
        ("global/firewalls", {"name": "a", "allowed": [{"port": "1"}]}, "at 'allowed[]'"),
        ("zones/us-central1-a/disks", {"name": "a", "sizeGb": "ten"}, "is no number of 64 bits"),
    ],
)  # fmt: skip
def test_a_request_is_held_to_its_description(apis: Apis, url: str, body: Any, said: str) -> None:
    status, message = refused(apis, "POST", COMPUTE + url, body)
    assert status == 400
    assert said in message
    assert not apis.left


def test_all_that_is_wrong_is_said_at_once(apis: Apis) -> None:
    _, message = refused(apis, "POST", COMPUTE + "global/networks", {"name": "a", "one": 1, "two": 2})
    assert '"one"' in message
    assert '"two"' in message


def test_numbers_of_64_bits_may_be_sent_as_either(apis: Apis) -> None:
    for size, name in ((10, "a"), ("10", "b")):
        ask(apis, "POST", COMPUTE + "zones/us-central1-a/disks", {"name": name, "sizeGb": size})


def test_a_body_must_be_json_and_wanted(apis: Apis) -> None:
    assert apis.answer("POST", COMPUTE + "global/networks", b"{")[0] == 400
    assert refused(apis, "DELETE", COMPUTE + "global/networks/train", {"a": 1})[1].endswith("takes no body")


@pytest.mark.parametrize(
    "url",
    [
        COMPUTE + "global/networcs",
        "https://compute.googleapis.com/compute/v2/projects/p",
        "https://example.com/",
    ],
)
def test_a_url_names_a_method(apis: Apis, url: str) -> None:
    assert refused(apis, "GET", url) == (404, f"No method has this URL: GET {url}")


def test_what_the_provider_sends_all_the_same_is_listed_with_a_reason(apis: Apis) -> None:
    config = {"routingMode": "REGIONAL", "deleteBgpAlwaysCompareMed": False}
    ask(apis, "POST", COMPUTE + "global/networks", {**NETWORK, "routingConfig": config})
    for one in accepted():
        assert len(one["reason"]) > 10
        assert any(
            re.fullmatch(one["method"], method) for table in documents() for method in table["methods"]
        ), one


def test_an_object_has_what_the_api_fills_in_and_its_operation_names_it(apis: Apis) -> None:
    operation = ask(apis, "POST", COMPUTE + "global/networks", NETWORK)
    assert operation["status"] == "DONE"
    assert ask(apis, "GET", operation["selfLink"].replace("www", "compute")) == operation
    network = ask(apis, "GET", COMPUTE + "global/networks/train")
    assert network["selfLink"] == operation["targetLink"]
    assert network["id"] == operation["targetId"]
    assert network["mtu"] == 1460
    assert network["routingConfig"]["routingMode"] == "REGIONAL"
    assert ask(apis, "GET", f"{COMPUTE}global/networks/{network['id']}") == network


def test_names_are_taken_once_and_found_only_while_there(apis: Apis) -> None:
    url = COMPUTE + "global/networks"
    assert refused(apis, "GET", f"{url}/train")[0] == 404
    ask(apis, "POST", url, NETWORK)
    assert refused(apis, "POST", url, NETWORK)[0] == 409
    ask(apis, "DELETE", f"{url}/train")
    assert refused(apis, "DELETE", f"{url}/train")[0] == 404
    assert refused(apis, "PATCH", f"{url}/train", {"mtu": 1500})[0] == 404


def test_what_something_links_to_stays(apis: Apis) -> None:
    ask(apis, "POST", COMPUTE + "global/networks", NETWORK)
    subnetwork = {
        "name": "nodes",
        "network": "projects/my-project/global/networks/train",
        "ipCidrRange": "10.0.0.0/20",
    }
    ask(apis, "POST", COMPUTE + "regions/us-central1/subnetworks", subnetwork)
    assert ask(apis, "GET", COMPUTE + "regions/us-central1/subnetworks/nodes")["gatewayAddress"] == "10.0.0.1"
    status, message = refused(apis, "DELETE", COMPUTE + "global/networks/train")
    assert status == 400
    assert message.endswith(
        "is already being used by 'projects/my-project/regions/us-central1/subnetworks/nodes'"
    )
    ask(apis, "DELETE", COMPUTE + "regions/us-central1/subnetworks/nodes")
    ask(apis, "DELETE", COMPUTE + "global/networks/train")
    assert not apis.left


def test_a_change_keeps_what_it_does_not_name(apis: Apis) -> None:
    url = "https://secretmanager.googleapis.com/v1/projects/my-project/secrets"
    ask(apis, "POST", f"{url}?secretId=key", {"labels": {"a": "1"}, "replication": {"automatic": {}}})
    changed = ask(apis, "PATCH", f"{url}/key?updateMask=labels", {"labels": {"b": "2"}, "ttl": "5s"})
    assert changed["labels"] == {"b": "2"}
    assert "ttl" not in changed
    assert changed["replication"] == {"automatic": {}}
    assert "labels" not in ask(apis, "PATCH", f"{url}/key?updateMask=labels", {})


def test_policies_lie_beside_what_they_are_about(apis: Apis) -> None:
    url = "https://cloudresourcemanager.googleapis.com/v1/projects/my-project"
    assert ask(apis, "POST", f"{url}:getIamPolicy", {})["bindings"] == []
    bindings = [{"role": "roles/viewer", "members": ["user:a@example.com"]}]
    ask(apis, "POST", f"{url}:setIamPolicy", {"policy": {"bindings": bindings}})
    assert ask(apis, "POST", f"{url}:getIamPolicy", {})["bindings"] == bindings


def test_a_deleted_role_keeps_its_name(apis: Apis) -> None:
    url = "https://iam.googleapis.com/v1/projects/my-project/roles"
    role = {"roleId": "reader", "role": {"title": "Reader"}}
    ask(apis, "POST", url, role)
    ask(apis, "DELETE", f"{url}/reader")
    assert "deleted state" in refused(apis, "POST", url, role)[1]
    assert "deleted" not in ask(apis, "POST", f"{url}/reader:undelete", {})


def test_a_cluster_with_a_pool(apis: Apis) -> None:
    prometheus = {"enabled": True, "autoMonitoringConfig": {"scope": "NONE"}}
    cluster = {
        "name": "first",
        "initialNodeCount": 1,
        "monitoringConfig": {"managedPrometheusConfig": prometheus},
    }
    ask(apis, "POST", GKE, {"cluster": cluster})
    gpus = {
        "machineType": "a2-highgpu-1g",
        "accelerators": [{"acceleratorCount": "1", "acceleratorType": "nvidia-tesla-a100"}],
    }
    ask(
        apis,
        "POST",
        f"{GKE}/first/nodePools",
        {"nodePool": {"name": "gpu", "initialNodeCount": 2, "config": gpus}},
    )
    found = ask(apis, "GET", f"{GKE}/first")
    assert [pool["name"] for pool in found["nodePools"]] == ["default-pool", "gpu"]
    assert found["currentNodeCount"] == 3
    assert found["monitoringConfig"]["managedPrometheusConfig"] == {
        "enabled": True
    }  # GKE drops the scope NONE
    pool = ask(apis, "GET", f"{GKE}/first/nodePools/gpu")
    assert pool["version"] == found["currentNodeVersion"]
    assert pool["config"]["taints"] == [
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}
    ]
    ask(apis, "POST", f"{GKE}/first/nodePools/gpu:setSize", {"nodeCount": 5})
    group = ask(apis, "GET", pool["instanceGroupUrls"][0].replace("www", "compute"))
    assert group["targetSize"] == 5
    changed = {"labels": {"labels": {"a": "b"}}, "nodeVersion": "", "imageType": "UBUNTU_CONTAINERD"}
    ask(apis, "PUT", f"{GKE}/first/nodePools/gpu", changed)
    pool = ask(apis, "GET", f"{GKE}/first/nodePools/gpu")
    assert pool["config"]["imageType"] == "UBUNTU_CONTAINERD"
    assert pool["config"]["labels"] == {"a": "b"}
    ask(apis, "DELETE", f"{GKE}/first/nodePools/gpu")
    assert refused(apis, "GET", f"{GKE}/first/nodePools/gpu")[0] == 404
    ask(apis, "DELETE", f"{GKE}/first")
    assert not apis.left


def test_a_pool_keeps_the_type_of_a_compact_policy_only(apis: Apis) -> None:
    ask(apis, "POST", GKE, {"cluster": {"name": "first"}})
    region = COMPUTE + "regions/us-central1/resourcePolicies"
    ask(apis, "POST", region, {"name": "compact", "groupPlacementPolicy": {"collocation": "COLLOCATED"}})
    ask(apis, "POST", region, {"name": "workload", "workloadPolicy": {"type": "HIGH_THROUGHPUT"}})
    for name in ("compact", "workload"):
        placement = {"type": "COMPACT", "policyName": name}
        ask(
            apis, "POST", f"{GKE}/first/nodePools", {"nodePool": {"name": name, "placementPolicy": placement}}
        )
    kept = {
        name: ask(apis, "GET", f"{GKE}/first/nodePools/{name}")["placementPolicy"]
        for name in ("compact", "workload")
    }
    assert kept == {
        "compact": {"type": "COMPACT", "policyName": "compact"},
        "workload": {"policyName": "workload"},
    }


def test_a_group_counts_the_instances_that_it_was_given(apis: Apis) -> None:
    zone = COMPUTE + "zones/us-central1-a/instanceGroupManagers"
    template = "projects/my-project/global/instanceTemplates/node"
    ask(
        apis,
        "POST",
        COMPUTE + "global/instanceTemplates",
        {"name": "node", "properties": {"machineType": "e2-small"}},
    )
    ask(apis, "POST", zone, {"name": "nodes", "versions": [{"instanceTemplate": template}], "targetSize": 0})
    ask(apis, "POST", f"{zone}/nodes/createInstances", {"instances": [{"name": "n-0"}, {"name": "n-1"}]})
    assert ask(apis, "GET", f"{zone}/nodes")["targetSize"] == 2
    assert refused(apis, "DELETE", COMPUTE + "global/instanceTemplates/node")[0] == 400
    gone = {"instances": ["zones/us-central1-a/instances/n-0"]}
    ask(apis, "POST", f"{zone}/nodes/deleteInstances", gone)
    listed = ask(apis, "POST", f"{zone}/nodes/listManagedInstances")["managedInstances"]
    assert [one["name"] for one in listed] == ["n-1"]
    ask(apis, "DELETE", f"{zone}/nodes")
    ask(apis, "DELETE", COMPUTE + "global/instanceTemplates/node")
    assert not apis.left


def test_a_filter_selects_and_one_that_is_not_known_is_refused(apis: Apis) -> None:
    zone = COMPUTE + "zones/us-central1-a/instanceGroupManagers"
    for name in ("nodes", "others"):
        ask(apis, "POST", zone, {"name": name, "targetSize": 0})
    ask(apis, "POST", f"{zone}/nodes/createInstances", {"instances": [{"name": "n-0"}, {"name": "n-1"}]})
    ask(apis, "POST", f"{zone}/nodes/deleteInstances", {"instances": ["zones/us-central1-a/instances/n-1"]})
    listed = f"{zone}/nodes/listManagedInstances?filter=name%3D"
    # The provider waits for an instance to go by this list, while others are there.
    assert ask(apis, "POST", f"{listed}%22n-1%22")["managedInstances"] == []
    assert [one["name"] for one in ask(apis, "POST", f"{listed}%22n-0%22")["managedInstances"]] == ["n-0"]
    configs = f"{zone}/nodes/listPerInstanceConfigs?filter=name%20%3D%20"
    assert ask(apis, "POST", f"{configs}%22n-1%22")["items"] == []
    assert [one["name"] for one in ask(apis, "GET", f"{zone}?filter=name%3D%22nodes%22")["items"]] == [
        "nodes"
    ]
    status, message = refused(apis, "GET", f"{zone}?filter=name%20eq%20nodes")
    assert (status, message) == (501, "The filter name eq nodes is not simulated")


def test_the_policy_of_a_project_is_never_left(apis: Apis) -> None:
    url = "https://binaryauthorization.googleapis.com/v1/projects/my-project/policy"
    assert ask(apis, "GET", url)["defaultAdmissionRule"]["evaluationMode"] == "ALWAYS_ALLOW"
    rule = {"evaluationMode": "ALWAYS_DENY", "enforcementMode": "ENFORCED_BLOCK_AND_AUDIT_LOG"}
    ask(apis, "PUT", url, {"defaultAdmissionRule": rule})
    assert ask(apis, "GET", url)["defaultAdmissionRule"] == rule
    assert not apis.left


def test_objects_outlive_the_process_in_a_folder(tmp_path: Path) -> None:
    ask(Apis(tmp_path), "POST", COMPUTE + "global/networks", NETWORK)
    again = Apis(tmp_path)
    assert ask(again, "GET", COMPUTE + "global/networks/train")["name"] == "train"


@pytest.fixture
def served() -> Iterator[ServedApis]:
    with ServedApis() as apis:
        yield apis


def test_the_proxy_answers_for_every_host_of_google(served: ServedApis) -> None:
    environment = served.environment
    context = ssl.create_default_context(cafile=environment["SSL_CERT_FILE"])
    proxy = urllib.request.ProxyHandler({"https": environment["HTTPS_PROXY"]})
    opener = urllib.request.build_opener(proxy, urllib.request.HTTPSHandler(context=context))
    url = "https://secretmanager.us-central1.rep.googleapis.com/v1/projects/p-1/locations/us-central1/secrets"
    asked = urllib.request.Request(  # noqa: S310
        f"{url}?secretId=key", b"{}", {"Content-Type": "application/json"}
    )
    with opener.open(asked) as answer:
        assert json.load(answer)["name"] == "projects/p-1/locations/us-central1/secrets/key"


@pytest.mark.parametrize("document", documents(), ids=lambda one: f"{one['service']}-{one['version']}")
def test_descriptions_say_where_they_are_from_and_are_whole(document: dict[str, Any]) -> None:
    assert document["source"]
    schemas = document["schemas"]
    named = set(re.findall(r'"\$ref": "(\w+)"', json.dumps(schemas)))
    for method in document["methods"].values():
        named |= {method[end] for end in ("request", "response") if end in method}
    assert named == set(schemas)


@pytest.mark.parametrize(
    "line", (Path(__file__).parent / "data" / "requests.txt").read_text("utf-8").splitlines()
)
def test_each_request_of_the_real_provider_has_its_method(line: str) -> None:
    method, verb, url = line.split()
    host, _, path = url.removeprefix("https://").partition("/")
    found = find(host, verb, f"/{path}")
    assert found is not None
    assert found.method.id == method


def test_an_existing_cluster_has_what_workloads_may_want_of_it(apis: Apis) -> None:
    wanted = {"name": "platform", "project": "my-project", "location": "us-central1-a"}
    apis.assume({"data": {"google_container_cluster": {"cluster": wanted}}})
    found = ask(apis, "GET", f"{GKE}/platform")
    # The provider reads this one without asking whether it is there, and crashes.
    assert found["legacyAbac"] == {}
    assert found["autopilot"] == {}
    assert found["controlPlaneEndpointsConfig"]["dnsEndpointConfig"]["allowExternalTraffic"] is True
    assert found["networkConfig"]["enableMultiNetworking"] is True
    assert found["addonsConfig"]["rayOperatorConfig"] == {"enabled": True}
    assert found["workloadIdentityConfig"] == {"workloadPool": "my-project.svc.id.goog"}
    assert found["currentMasterVersion"] == "1.34.1-gke.2037000"
