"""How a cluster's control plane is reached: by address or by name, and with which certificate."""

from __future__ import annotations

import base64
import hashlib
import ipaddress

from clusterprint_simcloud.cloud.behaviour import Plan, Request
from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.gke.places import CLUSTER, region_of
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.values import Path, Value, replace

# No real certificate: only its form matters, and that it is base64 twice.
_BODY = base64.b64encode(hashlib.sha512(b"simulated certificate authority").digest() * 4).decode()
_PEM = f"-----BEGIN CERTIFICATE-----\n{_BODY}\n-----END CERTIFICATE-----\n"
AUTHORITY = base64.b64encode(_PEM.encode()).decode()
_PUBLIC = ipaddress.IPv4Address("34.72.0.10")
_PRIVATE = ipaddress.IPv4Address("172.31.255.2")


def public(request: Request, _path: Path) -> str:
    """The public address of the control plane."""
    taken = request.contents.leases.setdefault("control planes", {})
    holder = request.record.key
    mine = next((one for one, whose in taken.items() if whose == holder), None)
    if mine is None:
        mine = next(str(_PUBLIC + n) for n in range(len(taken) + 1) if str(_PUBLIC + n) not in taken)
        taken[mine] = holder
    return mine


def private(request: Request, _path: Path) -> str:
    """The address inside the network."""
    cidr = block(request.state, "private_cluster_config").get("master_ipv4_cidr_block")
    return str(ipaddress.IPv4Network(cidr)[2]) if cidr else str(_PRIVATE)


def endpoint(request: Request, path: Path) -> str:
    """The provider's `endpoint`: an address, or the name where addresses are turned off."""
    planes = block(request.state, "control_plane_endpoints_config")
    if block(planes, "ip_endpoints_config").get("enabled") is False:
        return name(request, path)
    only_private = block(request.state, "private_cluster_config").get("enable_private_endpoint")
    return private(request, path) if only_private else public(request, path)


def name(request: Request, _path: Path) -> str:
    """The DNS endpoint."""
    digest = hashlib.sha256(f"{request.identity} {request.serial}".encode()).hexdigest()[:32]
    project = number(request.text("project"), 12)
    return f"gke-{digest}-{project}.{region_of(request.text('location'))}.gke.goog"


def control_plane(request: Request, path: Path) -> Value:
    """Where the configuration says nothing: by address for all, by name from inside Google only."""
    by_name = {"endpoint": name(request, path), "allow_external_traffic": False}
    return [{"dns_endpoint_config": [by_name], "ip_endpoints_config": [{"enabled": True}]}]


def by_name(request: Request, path: Path) -> Value:
    """The same for a configuration that speaks of addresses only."""
    return [{"endpoint": name(request, path), "allow_external_traffic": False}]


class Door:
    """One way into a cluster."""

    def __init__(self, cluster: Record, *, is_name: bool, is_open: bool) -> None:
        self.cluster = cluster
        self.is_name = is_name  # has a certificate that everybody trusts
        self.is_open = is_open  # to callers outside Google Cloud


def door(contents: Contents, host: str) -> Door | None:
    """The cluster behind a host name or an address, or None."""
    for cluster in contents.of(CLUSTER):
        planes = block(cluster.state, "control_plane_endpoints_config")
        by_dns, by_ip = block(planes, "dns_endpoint_config"), block(planes, "ip_endpoints_config")
        if host and host == by_dns.get("endpoint"):
            return Door(cluster, is_name=True, is_open=by_dns.get("allow_external_traffic") is True)
        inside = block(cluster.state, "private_cluster_config").get("private_endpoint")
        if host and host in (cluster.state.get("endpoint"), inside):
            return Door(cluster, is_name=False, is_open=by_ip.get("enabled") is not False)
    return None


def plan_privacy(plan: Plan) -> None:
    """`false` is planned as nothing: containerClusterPrivateClusterConfigSuppress."""
    for name in ("enable_private_nodes", "enable_private_endpoint"):
        replace(plan.state, f"private_cluster_config.{name}", lambda value: value or None)
