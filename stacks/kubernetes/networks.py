"""Networks that pods can ask for, as objects of GKE's multi-networking."""

from collections.abc import Iterable
from typing import Any

from clusterprint.plan.kubernetes import NetworkObjectPlan

_API = "networking.gke.io/v1"


def network_objects(plans: Iterable[NetworkObjectPlan]) -> dict[str, dict[str, Any]]:
    """Two objects for each network: which subnet it is, and the name that pods ask for."""
    objects = {}
    for plan in plans:
        objects[f"parameters-{plan.name}"] = {
            "apiVersion": _API,
            "kind": "GKENetworkParamSet",
            "metadata": {"name": plan.name},
            "spec": {"vpc": plan.network, "vpcSubnet": plan.subnet, "deviceMode": plan.device_mode},
        }
        objects[f"network-{plan.name}"] = {
            "apiVersion": _API,
            "kind": "Network",
            "metadata": {"name": plan.name},
            "spec": {
                "type": "Device",
                "parametersRef": {
                    "group": "networking.gke.io",
                    "kind": "GKENetworkParamSet",
                    "name": plan.name,
                },
            },
        }
    return objects
