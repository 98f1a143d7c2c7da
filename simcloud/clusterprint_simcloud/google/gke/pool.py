"""Node pools: what they name, the addresses that they take, and the groups that they are made of."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

from clusterprint_simcloud.arguments import Argument, Arguments, adding
from clusterprint_simcloud.cloud.behaviour import Computed, Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.cloud.groups import started
from clusterprint_simcloud.google import ranges
from clusterprint_simcloud.google.disk_pools import POOL as STORAGE_POOL
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.gke import capacity, hardware, interfaces, managed_networks
from clusterprint_simcloud.google.gke.places import (
    CLUSTER,
    POOL,
    beside,
    cluster_of,
    find_cluster,
    pools_of,
    region_of,
    zones_of_pool,
)
from clusterprint_simcloud.google.gke.versions import VERSION, version_of
from clusterprint_simcloud.google.iam import account
from clusterprint_simcloud.google.instance import POLICY
from clusterprint_simcloud.google.links import COMPUTE, find, link, name_of, same
from clusterprint_simcloud.google.network import NETWORK, SUBNETWORK
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.google.scopes import plan_scopes
from clusterprint_simcloud.values import Path
from clusterprint_simcloud.work.clock import told

_NODE = "node_config."
_NAME = "(?=.{1,40}$)[a-z](?:[-a-z0-9]*[a-z0-9])?"
_DEFAULT_PODS = 110
_FEWEST_PODS, _MOST_PODS = 8, 256


def _facts() -> Arguments:
    """Nodes are described in the same words in a cluster and in a pool."""
    node = {path: one for path, one in known(CLUSTER).items() if path.startswith(_NODE)}
    return adding({**node, **known(POOL)}, name=Argument(matches=_NAME))


def _cluster() -> Reference:
    def missing(request: Request, _steps: Path, value: str) -> str:
        path = value if "/" in value else f"{request.text('location')}/clusters/{value}"
        return f"googleapi: Error 404: Not found: {path}., notFound"

    return Reference("cluster", find_cluster, missing, same)


def _link(path: str, kind: str) -> Reference:
    """A link or a name, seen from where the cluster is."""
    return dataclasses.replace(
        link(path, kind), find=lambda request, value: find(beside(request), value, kind)
    )


def _identity(request: Request) -> str:
    found = find_cluster(request, request.text("cluster"))
    parent = found.id if found else request.text("cluster")
    return f"{parent}/nodePools/{request.text('name')}"


# ---- what is refused


def _check_place(request: Request) -> None:
    cluster = cluster_of(request)
    region = region_of(str(cluster.state["location"]))
    if request.text("location") and name_of(request.text("location")) != cluster.state["location"]:
        raise _bad(request, f"The cluster is in {cluster.state['location']}, not {request.text('location')}.")
    for zone in zones_of_pool(cluster, request.state):
        if region_of(zone) != region:
            raise _bad(request, f"Zone '{zone}' of node_locations is not in region '{region}'.")


def _check_version(request: Request) -> None:
    wanted = request.text("version")
    if wanted and not VERSION.fullmatch(wanted):
        raise _bad(request, f'Node version "{wanted}" is unsupported.')


def _subnetwork(request: Request) -> Record | None:
    return find(beside(request), str(cluster_of(request).state.get("subnetwork") or ""), SUBNETWORK)


def _range_of_pods(cluster: Record, state: dict[str, Any]) -> str:
    """The name of the secondary range that a pool's pods are in."""
    own = block(state, "network_config").get("pod_range")
    return str(own or block(cluster.state, "ip_allocation_policy").get("cluster_secondary_range_name") or "")


def _check_most_pods(request: Request) -> None:
    """REST reference, MaxPodsConstraint; documentation "Configure maximum Pods per node"."""
    most = request.state.get("max_pods_per_node")
    if most is not None and not _FEWEST_PODS <= int(most) <= _MOST_PODS:
        raise _bad(request, f"max_pods_per_node must be between 8 and 256, not {int(most)}.")


def _check_pods(request: Request) -> None:
    """Documentation "IP address ranges for clusters": each node takes twice as many addresses as pods."""
    cluster, subnetwork = cluster_of(request), _subnetwork(request)
    name = _range_of_pods(cluster, request.state)
    there = ranges.secondary(subnetwork, name)
    if there is None:
        if block(request.state, "network_config").get("pod_range"):
            raise _bad(request, f'Pod secondary range "{name}" does not exist in the subnetwork.')
        return
    others = [
        one
        for one in pools_of(request.contents, cluster)
        if one.id != request.identity and _range_of_pods(cluster, one.state) == name
    ]
    needed = sum(_addresses(cluster, one) for one in [request.state, *(one.state for one in others)])
    if needed > there.num_addresses:
        raise refusal(
            request,
            f"IP_SPACE_EXHAUSTED: the pods of all nodes need {needed} addresses of range '{name}' ({there}).",
            "badRequest",
        )


def _nodes(cluster: Record, state: dict[str, Any]) -> int:
    return capacity.first_size(state) * len(zones_of_pool(cluster, state))


def _addresses(cluster: Record, state: dict[str, Any]) -> int:
    pods = int(
        state.get("max_pods_per_node") or cluster.state.get("default_max_pods_per_node") or _DEFAULT_PODS
    )
    return _nodes(cluster, state) * (1 << (2 * pods - 1).bit_length())


def _check_nodes(request: Request) -> None:
    """All nodes must have an address in the subnetwork, of which four are reserved."""
    cluster, subnetwork = cluster_of(request), _subnetwork(request)
    if subnetwork is None:
        return
    states = [one.state for one in pools_of(request.contents, cluster) if one.id != request.identity]
    needed = sum(_nodes(cluster, one) for one in [request.state, *states])
    usable = ranges.Range(subnetwork.state["ip_cidr_range"]).num_addresses - 4
    if needed > usable:
        text = f"IP_SPACE_EXHAUSTED: {needed} nodes do not fit into '{subnetwork.id}', which has {usable}."
        raise refusal(request, text, "badRequest")


def _bad(request: Request, text: str) -> Any:
    return refusal(request, text, "badRequest")


# ---- what is made


def _own(request: Request) -> None:
    """Pools go with their cluster."""
    request.record.owner = cluster_of(request).key
    started(request.contents)[request.record.id] = told(request.contents.rest.clock)


def _forget_type(request: Request) -> None:
    """Nodes that a workload policy places have no type: cluster-toolkit pull request 5691, ci-infra 547."""
    policy = block(request.record.state, "placement_policy")
    found = find(beside(request), str(policy.get("policy_name") or ""), POLICY)
    if found is not None and found.state.get("workload_policy"):
        policy["type"] = ""


def _group(request: Request, zone: str, collection: str) -> str:
    cluster = str(cluster_of(request).state["name"])
    digest = hashlib.sha256(f"{request.identity} {zone}".encode()).hexdigest()[:8]
    name = f"gke-{cluster}-{request.text('name')}"[:32].rstrip("-")
    return f"{COMPUTE}projects/{request.text('project')}/zones/{zone}/{collection}/{name}-{digest}-grp"


def _groups(collection: str) -> Computed:
    def urls(request: Request, _path: Path) -> list[str]:
        zones = zones_of_pool(cluster_of(request), request.state)
        return [_group(request, zone, collection) for zone in zones]

    return urls


def _size(request: Request, _path: Path) -> int:
    return capacity.first_size(request.state)


def _location(request: Request, _path: Path) -> str:
    return str(cluster_of(request).state["location"])


def _zones(request: Request, _path: Path) -> list[str]:
    return zones_of_pool(cluster_of(request), request.state)


def _version(request: Request, _path: Path) -> str:
    return version_of(cluster_of(request).state)


def _most_pods(request: Request, _path: Path) -> int:
    return int(cluster_of(request).state.get("default_max_pods_per_node") or _DEFAULT_PODS)


def _pod_range(request: Request, _path: Path) -> str:
    return _range_of_pods(cluster_of(request), {})


RESOURCES = (
    ResourceType(
        POOL,
        "NodePool",
        _identity,
        _facts(),
        computed={
            "name": "terraform-{serial}",
            "name_prefix": "",
            "location": _location,
            "instance_group_urls": _groups("instanceGroupManagers"),
            "managed_instance_group_urls": _groups("instanceGroups"),
            "initial_node_count": _size,
            "node_count": _size,
            "node_locations": _zones,
            "max_pods_per_node": _most_pods,
            "version": _version,
            "operation": "",
            "autoscaling.location_policy": "BALANCED",
            "management": [{"auto_repair": True, "auto_upgrade": True}],
            "upgrade_settings": [{"max_surge": 1, "max_unavailable": 0, "strategy": "SURGE"}],
            "upgrade_settings.max_surge": 0,
            "upgrade_settings.max_unavailable": 0,
            "network_config.enable_private_nodes": False,
            "network_config.pod_range": _pod_range,
            "node_config.disk_size_gb": 100,
            "node_config.disk_type": "pd-balanced",
            "node_config.image_type": "COS_CONTAINERD",
            "node_config.machine_type": "e2-medium",
            "node_config.service_account": "default",
            "node_config.metadata": {"disable-legacy-endpoints": "true"},
            "node_config.oauth_scopes": ["https://www.googleapis.com/auth/cloud-platform"],
            "node_config.logging_variant": "DEFAULT",
        },
        references=[
            _cluster(),
            account("node_config.service_account"),
            _link("placement_policy.policy_name", POLICY),
            _link("node_config.storage_pools", STORAGE_POOL),
            _link("network_config.additional_node_network_configs.network", NETWORK),
            _link("network_config.additional_node_network_configs.subnetwork", SUBNETWORK),
            _link("network_config.additional_pod_network_configs.subnetwork", SUBNETWORK),
        ],
        service="container.googleapis.com",
        planned=[plan_scopes("node_config.oauth_scopes")],
        checks=[
            _check_place,
            _check_version,
            capacity.check,
            hardware.check,
            interfaces.check,
            managed_networks.check,
            _check_most_pods,
            _check_pods,
            _check_nodes,
        ],
        created=[_own, managed_networks.add_label, _forget_type],
    ),
)
