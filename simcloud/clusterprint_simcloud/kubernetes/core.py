"""Namespaces, accounts, configuration and services."""

from __future__ import annotations

import ipaddress

from clusterprint_simcloud.cloud.behaviour import Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.kubernetes.cluster import (
    ACCOUNT,
    NAMESPACE,
    add_default_account,
    home,
)
from clusterprint_simcloud.kubernetes.objects import (
    LONGEST_LABEL,
    clusterwide,
    find,
    invalid,
    name_of,
    namespaced,
    when_immutable,
)
from clusterprint_simcloud.kubernetes.pods import CONFIG_MAP
from clusterprint_simcloud.values import Path, at

SECRET = "kubernetes_secret_v1"  # noqa: S105  (a type)
# Kubernetes: the data of a config map or a secret, in bytes.
_MOST_DATA = 1048576
# What others name takes a moment to come, so that those which should wait for it come too early.
_MOMENT = 0.1
# GKE gives services addresses from here unless told otherwise (documentation "GKE-managed service range").
_SERVICES = ipaddress.IPv4Network("34.118.224.0/20")


def _check_label(request: Request) -> None:
    if len(name_of(request.state)) > LONGEST_LABEL or "." in name_of(request.state):
        text = f'metadata.name: Invalid value: "{name_of(request.state)}": must be no more than 63 characters'
        raise invalid(request, request.kind.label, f"{text} and have no dots")


def _check_size(request: Request) -> None:
    data = {**(request.state.get("data") or {}), **(request.state.get("binary_data") or {})}
    size = sum(len(str(text).encode()) for text in data.values())
    if size > _MOST_DATA:
        raise invalid(request, request.kind.label, f"data: Too long: must have at most {_MOST_DATA} bytes")


def _new_namespace(request: Request) -> None:
    add_default_account(request.contents, request.record)


def _cluster_ip(request: Request, _path: Path) -> str:
    taken = request.contents.leases.setdefault(f"services of {home(request)}", {})
    address = next(str(one) for one in list(_SERVICES)[10:] if str(one) not in taken)
    taken[address] = request.record.key
    return address


def _target_port(request: Request, path: Path) -> str:
    """The port itself, unless told otherwise."""
    return str(request.state["spec"][0]["port"][int(path[3])]["port"])


def _load_balancer(request: Request, _path: Path) -> list[dict[str, object]]:
    """A load balancer has an address as soon as the create is over (wait_for_load_balancer)."""
    kind = next((one for _, one in at(request.state, "spec.type")), "ClusterIP")
    if kind != "LoadBalancer":
        return [{"load_balancer": [{"ingress": []}]}]
    return [{"load_balancer": [{"ingress": [{"ip": "34.29.0.10", "hostname": ""}]}]}]


def _labelled(request: Request) -> str:
    """The provider's id of what it labels, which belongs to somebody else."""
    parts = (f"apiVersion={request.text('api_version')}", f"kind={request.text('kind')}")
    return ",".join((*parts, f"name={name_of(request.state)}"))


def _check_labelled(request: Request) -> None:
    if request.text("kind") != "Namespace":
        message = f"kubernetes_labels: labels of a {request.text('kind')} are not simulated"
        raise ApiError(message)
    if find(request, NAMESPACE, name_of(request.state)) is None:
        raise ApiError(f'The resource "{name_of(request.state)}" does not exist')


RESOURCES = (
    ResourceType(
        "kubernetes_labels",
        "labels",
        lambda request: f"{home(request)}/labels/{_labelled(request)}",
        {},
        computed={"id": lambda request, _path: _labelled(request)},
        checks=[_check_labelled],
    ),
    clusterwide(NAMESPACE, "namespaces", checks=[_check_label], created=[_new_namespace], delay=_MOMENT),
    namespaced(ACCOUNT, "serviceaccounts", computed={"default_secret_name": ""}, delay=_MOMENT),
    namespaced(
        CONFIG_MAP,
        "configmaps",
        checks=[_check_size],
        planned=[when_immutable("data", "binary_data")],
        delay=_MOMENT,
    ),
    namespaced(SECRET, "secrets", checks=[_check_size], planned=[when_immutable("data", "binary_data")]),
    namespaced(
        "kubernetes_service_v1",
        "services",
        checks=[_check_label],
        computed={
            "spec.cluster_ip": _cluster_ip,
            "spec.cluster_ips": lambda request, _path: [
                str(one) for _, one in at(request.state, "spec.cluster_ip")
            ],
            "spec.external_traffic_policy": "",
            "spec.internal_traffic_policy": "Cluster",
            "spec.ip_families": ["IPv4"],
            "spec.ip_family_policy": "SingleStack",
            "spec.port.target_port": _target_port,
            "status": _load_balancer,
        },
    ),
    namespaced("kubernetes_limit_range_v1", "limitranges"),
    namespaced("kubernetes_resource_quota_v1", "resourcequotas"),
)
