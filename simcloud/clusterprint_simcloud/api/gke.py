"""GKE: clusters and their node pools."""

from __future__ import annotations

import copy
import re
from typing import Any

from clusterprint_simcloud.api import groups
from clusterprint_simcloud.api.answering import COMPUTE, NOW, Call, answers, finishes, operation, settled
from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.api.objects import Objects, fill, path_of, without_nulls
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.gke.endpoints import AUTHORITY
from clusterprint_simcloud.google.gke.places import is_zone, zones_of_cluster
from clusterprint_simcloud.google.gke.versions import version_of

_LINK = "https://container.googleapis.com/v1/"
_CLUSTERS = r"container\.projects\.locations\.clusters\."
_POOLS = _CLUSTERS + r"nodePools\."
_PRIVATE, _PUBLIC = "10.1.2.3", "34.1.2.3"
# Fields of nodes that are flat in an update of a pool, and in `config` of the pool itself.
_OF_POOL = frozenset(("locations", "upgradeSettings", "queuedProvisioning", "maxRunDuration"))
_IDENTITY = frozenset(("name", "clusterId", "nodePoolId", "projectId", "zone", "etag"))


def cluster(objects: Objects, key: str, body: Json) -> Json:
    """Make a cluster with its pools. Raises Refusal."""
    value: Json = without_nulls(body)
    pools = value.pop("nodePools", None) or [
        {
            "name": "default-pool",
            "initialNodeCount": value.get("initialNodeCount", 1),
            "config": value.pop("nodeConfig", {}),
        }
    ]
    objects.add(key, settled(objects, "container.Cluster", key, value))
    for one in pools:
        pool(objects, f"{key}/nodePools/{one['name']}", one)
    return value


def pool(objects: Objects, key: str, body: Json) -> Json:
    """Make a pool with its groups of nodes. Raises Refusal."""
    value = objects.add(key, without_nulls(body))
    settled(objects, "container.NodePool", key, value)
    project = path_of(key).split("/")[1]
    for link in value["instanceGroupUrls"]:
        group = {
            "name": link.rpartition("/")[2],
            "selfLink": link,
            "targetSize": value["initialNodeCount"],
            "id": "1",
        }
        groups.complete(objects, "", group)
        objects.objects[f"compute/{link.removeprefix(COMPUTE)}"] = group
    assert project  # noqa: S101
    return value


@finishes("container.Cluster")
def _complete(_objects: Objects, key: str, value: Json) -> None:
    location, project = re.findall(r"(?:locations|projects)/([^/]+)", key)[::-1]
    names = {
        "location": location,
        "node_locations": value.get("locations"),
        "min_master_version": value.get("initialClusterVersion"),
    }
    names["release_channel"] = [value.get("releaseChannel", {})]
    version = version_of(names)
    kind = "zones" if is_zone(location) else "locations"
    value |= {
        "selfLink": f"{_LINK}projects/{project}/{kind}/{location}/clusters/{value['name']}",
        "location": location,
        "zone": location,
        "endpoint": _PUBLIC,
        "status": "RUNNING",
        "id": number(key, 16),
        "etag": "e3b0c442",
        "createTime": NOW,
        "labelFingerprint": "78cdf2f6",
        "currentMasterVersion": version,
        "currentNodeVersion": version,
        "locations": zones_of_cluster(names),
    }
    network = value.get("network", "default").rpartition("/")[2]
    subnetwork = value.get("subnetwork", "default")
    addresses = value.get("ipAllocationPolicy", {})
    fill(
        value,
        {
            "network": network,
            "subnetwork": subnetwork,
            "masterAuth": {"clusterCaCertificate": AUTHORITY, "clientCertificateConfig": {}},
            "networkConfig": {
                "network": f"projects/{project}/global/networks/{network}",
                "subnetwork": subnetwork,
            },
            "clusterIpv4Cidr": addresses.get("clusterIpv4CidrBlock", "10.64.0.0/14"),
            "servicesIpv4Cidr": addresses.get("servicesIpv4CidrBlock", "10.8.0.0/20"),
            "controlPlaneEndpointsConfig": {
                "dnsEndpointConfig": {"endpoint": f"gke-{number(key, 16)}.{location}.gke.goog"},
                "ipEndpointsConfig": {
                    "enabled": True,
                    "privateEndpoint": _PRIVATE,
                    "publicEndpoint": _PUBLIC,
                    "authorizedNetworksConfig": value.get("masterAuthorizedNetworksConfig", {}),
                },
            },
            "privateClusterConfig": {"privateEndpoint": _PRIVATE, "publicEndpoint": _PUBLIC},
        },
    )


@finishes("container.NodePool")
def _complete_pool(objects: Objects, key: str, value: Json) -> None:
    of = objects.get(key.rpartition("/nodePools/")[0])
    project, name = path_of(key).split("/")[1], value["name"]
    config = value.setdefault("config", {})
    value |= {"selfLink": _LINK + path_of(key), "status": "RUNNING", "etag": "e3b0c442"}
    fill(value, {"version": of["currentNodeVersion"], "locations": of["locations"], "initialNodeCount": 0})
    value.setdefault(
        "upgradeSettings", {"strategy": "SURGE", "maxSurge": 1}
    )  # 0 is not given back: no part of it
    value["instanceGroupUrls"] = [
        f"{COMPUTE}projects/{project}/zones/{zone}/instanceGroupManagers/gke-{of['name']}-{name}-grp"
        for zone in value["locations"]
    ]
    addresses = of.get("ipAllocationPolicy", {})
    defaults: Json = {
        "podRange": addresses.get("clusterSecondaryRangeName", "pods"),
        "podIpv4CidrBlock": of["clusterIpv4Cidr"],
        "subnetwork": of["networkConfig"]["subnetwork"],
        "enablePrivateNodes": of["networkConfig"].get("defaultEnablePrivateNodes", False),
    }
    fill(value, {"networkConfig": defaults})
    labels = config.setdefault("resourceLabels", {})
    kind = "spot" if config.get("spot") else "flex-start" if config.get("flexStart") else "on-demand"
    labels["goog-gke-node-pool-provisioning-model"] = kind
    _taint(config)
    _forget_type(objects, project, value)


def _forget_type(objects: Objects, project: str, value: Json) -> None:
    """GKE does not give back the type of a workload policy that a pool names: cluster-toolkit issue 5691."""
    placement = value.get("placementPolicy", {})
    named = f"/{placement.get('policyName', '')}"
    policies = [key for key in objects.objects if "/resourcePolicies/" in key and key.endswith(named)]
    if any("workloadPolicy" in objects.objects[key] for key in policies if f"/{project}/" in key):
        placement.pop("type", None)


def _taint(config: Json) -> None:
    """Nodes with accelerators keep others away, as GKE taints them."""
    wanted = {
        "nvidia.com/gpu": bool(config.get("accelerators")),
        "google.com/tpu": str(config.get("machineType", "")).startswith(("ct", "tpu")),
    }
    for accelerator in config.get("accelerators", []):
        fill(accelerator, {"gpuDriverInstallationConfig": {"gpuDriverVersion": "DEFAULT"}})
    for name, due in wanted.items():
        if due and not any(one["key"] == name for one in config.get("taints", [])):
            config.setdefault("taints", []).append({"key": name, "value": "present", "effect": "NO_SCHEDULE"})


# ---- clusters


@answers(_CLUSTERS + "create")
def _create(call: Call) -> Json:
    key = f"{call.key}/{call.body['cluster']['name']}"
    cluster(call.objects, key, call.body["cluster"])
    return operation(call, key)


@answers(_CLUSTERS + "get")
def _get(call: Call) -> Json:
    """A cluster with its pools in it."""
    found = copy.deepcopy(call.objects.get(call.key))
    found["nodePools"] = [one for _, one in call.objects.inside(f"{call.key}/nodePools")]
    found["currentNodeCount"] = sum(
        one["initialNodeCount"] * len(one["locations"]) for one in found["nodePools"]
    )
    found["instanceGroupUrls"] = [url for one in found["nodePools"] for url in one["instanceGroupUrls"]]
    if found["nodePools"]:
        found["nodeConfig"] = found["nodePools"][0]["config"]
    return found


@answers(_CLUSTERS + "delete")
def _delete(call: Call) -> Json:
    for key, _ in list(call.objects.inside(f"{call.key}/nodePools")):
        _remove_pool(call.objects, key)
    call.objects.remove(call.key)
    return operation(call, call.key)


@answers(_CLUSTERS + "update")
def _update(call: Call) -> Json:
    """`desiredAddonsConfig` sets `addonsConfig`, and so on."""
    value = call.objects.get(call.key)
    for name, each in call.body["update"].items():
        if not name.startswith("desired"):
            continue
        plain = name.removeprefix("desired")
        _set_field(value, plain[0].lower() + plain[1:], each)
    settled(call.objects, "container.Cluster", call.key, value)
    return operation(call, call.key)


def _set_field(value: Json, name: str, each: Any) -> None:
    if name == "masterVersion":
        value["initialClusterVersion"] = each
    elif name in ("gcfsConfig", "nodeKubeletConfig", "containerdConfig", "loggingVariantConfig"):
        fill(value, {"nodePoolDefaults": {"nodeConfigDefaults": {}}})
        value["nodePoolDefaults"]["nodeConfigDefaults"][name] = each
    else:
        value[name] = {**value.get(name, {}), **without_nulls(each)} if isinstance(each, dict) else each


@answers(_CLUSTERS + "set(ResourceLabels|MaintenancePolicy|Addons|Locations|Logging|Monitoring)")
def _set(call: Call) -> Json:
    value = call.objects.get(call.target)
    for name, each in call.body.items():
        if name not in _IDENTITY | {"labelFingerprint"}:
            value[name] = without_nulls(each)
    if "maintenancePolicy" in call.body:
        value["maintenancePolicy"]["resourceVersion"] = "e3b0c442"
    return operation(call, call.target)


# ---- pools


@answers(_POOLS + "create")
def _create_pool(call: Call) -> Json:
    key = f"{call.key}/{call.body['nodePool']['name']}"
    call.objects.get(call.key.removesuffix("/nodePools"))
    pool(call.objects, key, call.body["nodePool"])
    return operation(call, key)


@answers(_POOLS + "delete")
def _delete_pool(call: Call) -> Json:
    _remove_pool(call.objects, call.key)
    return operation(call, call.key)


def _remove_pool(objects: Objects, key: str) -> None:
    for link in objects.get(key)["instanceGroupUrls"]:
        objects.objects.pop(f"compute/{link.removeprefix(COMPUTE)}", None)
    objects.remove(key)


@answers(_POOLS + "set(Size|Autoscaling|Management)")
def _set_pool(call: Call) -> Json:
    value = call.objects.get(call.target)
    if "nodeCount" in call.body:
        value["initialNodeCount"] = call.body["nodeCount"]
        for link in value["instanceGroupUrls"]:
            call.objects.get(f"compute/{link.removeprefix(COMPUTE)}")["targetSize"] = call.body["nodeCount"]
    for name in ("autoscaling", "management"):
        if name in call.body:
            value[name] = without_nulls(call.body[name])
    return operation(call, call.target)


@answers(_POOLS + "update")
def _update_pool(call: Call) -> Json:
    """Changes one thing at a time; labels and taints come wrapped."""
    value = call.objects.get(call.key)
    for name, each in without_nulls(call.body).items():
        if name in _IDENTITY or (name == "nodeVersion" and each == ""):
            continue
        if name == "nodeVersion":
            value["version"] = each
        elif name == "nodeNetworkConfig":
            value["networkConfig"] = {**value.get("networkConfig", {}), **each}
        elif name in _OF_POOL:
            value[name] = each
        else:
            value["config"][name] = (
                each.get(name, each.get("labels", each))
                if name in ("labels", "taints", "resourceLabels", "tags")
                else each
            )
    settled(call.objects, "container.NodePool", call.key, value)
    return operation(call, call.key)
