"""What a pod needs to use the networks between GPUs, in the words of Kubernetes."""

from typing import Any

from clusterprint.plan.kubernetes import FabricPlan
from stacks.literals import as_json


def fabric_annotations(plan: FabricPlan) -> dict[str, str]:
    """The interfaces of the pod, and devices for the daemon beside it."""
    interfaces = [{"interfaceName": "eth0", "network": "default"}] + [
        {"interfaceName": f"eth{index}", "network": network} for index, network in enumerate(plan.networks, 1)
    ]
    annotations = {
        "networking.gke.io/default-interface": "eth0",
        "networking.gke.io/interfaces": as_json(interfaces),
    }
    if plan.daemon:
        devices = "".join(f"- path: {each}\n" for each in plan.daemon.devices)
        annotations[f"devices.gke.io/container.{plan.daemon.name}"] = devices
    return annotations


def fabric_volumes(plan: FabricPlan) -> list[dict[str, Any]]:
    """What of the node the pod sees."""
    return [{"name": name, "hostPath": {"path": path}} for name, path in plan.folders.items()]


def fabric_mounts(plan: FabricPlan) -> list[dict[str, Any]]:
    """Where the program sees it."""
    return _mounts(plan.mounts)


def fabric_daemons(plan: FabricPlan) -> list[dict[str, Any]]:
    """The containers that run beside the program: one, or none."""
    daemon = plan.daemon
    if daemon is None:
        return []
    return [
        {
            "name": daemon.name,
            "image": daemon.image,
            "command": list(daemon.command),
            "env": [{"name": name, "value": value} for name, value in daemon.env.items()],
            "securityContext": {"capabilities": {"add": list(daemon.capabilities)}},
            "volumeMounts": _mounts(daemon.mounts),
        }
    ]


def _mounts(paths: dict[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "mountPath": path} for name, path in paths.items()]
