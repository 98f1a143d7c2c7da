"""What a pod needs to use the networks between GPUs, in the words of Kubernetes."""

from typing import Any

from clusterprint.plan.kubernetes import FabricPlan
from stacks.literals import as_json

# Where the nodes keep what the plug-ins need: volume -> path on the host.
_HOST_PATHS = {
    "tcpx": {
        "libraries": "/home/kubernetes/bin/nvidia/lib64",
        "tcpx-socket": "/run/tcpx",
        "sys": "/sys",
        "proc-sys": "/proc/sys",
    },
    "tcpxo": {
        "libraries": "/home/kubernetes/bin/nvidia/lib64",
        "aperture-devices": "/dev/aperture_devices",
        "sys": "/sys",
        "proc-sys": "/proc/sys",
    },
    "roce": {"libraries": "/home/kubernetes/bin/nvidia", "gib": "/home/kubernetes/bin/gib"},
}

# Where a program finds them: volume -> path in its container.
_MOUNTS = {
    "tcpx": {"libraries": "/usr/local/nvidia/lib64", "tcpx-socket": "/run/tcpx"},
    "tcpxo": {"libraries": "/usr/local/nvidia/lib64", "aperture-devices": "/dev/aperture_devices"},
    "roce": {"libraries": "/usr/local/nvidia", "gib": "/usr/local/gib"},
}

# Devices that are handed to the daemon.
_GPUS = 8
_DEVICES = [*(f"/dev/nvidia{index}" for index in range(_GPUS)), "/dev/nvidiactl", "/dev/nvidia-uvm"]
_DAEMON_DEVICES = {"tcpx": _DEVICES, "tcpxo": [*_DEVICES, "/dev/dmabuf_import_helper"]}

_TCPXO_DAEMON = """\
set -ex
chmod 755 /fts/entrypoint_rxdm_container.sh
exec /fts/entrypoint_rxdm_container.sh --num_hops=2 --num_nics=8 --uid= --alsologtostderr
"""

_DAEMON_COMMANDS = {
    "tcpx": [
        *("/tcpgpudmarxd/build/app/tcpgpudmarxd", "--gpu_nic_preset", "a3vm", "--gpu_shmem_type", "fd"),
        *("--uds_path", "/run/tcpx", "--setup_param", "--verbose 128 2 0"),
    ],
    "tcpxo": [
        *("/bin/sh", "-c", _TCPXO_DAEMON),
    ],
}

_DAEMON_CAPABILITIES = {"tcpx": ["NET_ADMIN"], "tcpxo": ["NET_ADMIN", "NET_BIND_SERVICE"]}


def fabric_annotations(plan: FabricPlan) -> dict[str, str]:
    """The interfaces of the pod, and devices for the daemon beside it."""
    interfaces = [{"interfaceName": "eth0", "network": "default"}] + [
        {"interfaceName": f"eth{index}", "network": network} for index, network in enumerate(plan.networks, 1)
    ]
    annotations = {
        "networking.gke.io/default-interface": "eth0",
        "networking.gke.io/interfaces": as_json(interfaces),
    }
    if plan.daemon_image:
        devices = "".join(f"- path: {each}\n" for each in _DAEMON_DEVICES[plan.kind])
        annotations[f"devices.gke.io/container.{daemon_name(plan)}"] = devices
    return annotations


def fabric_volumes(plan: FabricPlan) -> list[dict[str, Any]]:
    """What of the node the pod sees."""
    return [{"name": name, "hostPath": {"path": path}} for name, path in _HOST_PATHS[plan.kind].items()]


def fabric_mounts(plan: FabricPlan) -> list[dict[str, Any]]:
    """Where the program sees it."""
    return [{"name": name, "mountPath": path} for name, path in _MOUNTS[plan.kind].items()]


def fabric_capabilities(plan: FabricPlan) -> list[str]:
    """What the program must be allowed: to keep the buffers that network cards write to in memory."""
    return ["IPC_LOCK"] if plan.kind == "tcpx" else []


def fabric_daemons(plan: FabricPlan) -> list[dict[str, Any]]:
    """The containers that run beside the program: one, or none."""
    if not plan.daemon_image:
        return []
    mounts = {"libraries": "/usr/local/nvidia/lib64", "sys": "/hostsysfs", "proc-sys": "/hostprocsysfs"}
    if plan.kind == "tcpx":
        mounts["tcpx-socket"] = "/run/tcpx"
    return [
        {
            "name": daemon_name(plan),
            "image": plan.daemon_image,
            "command": _DAEMON_COMMANDS[plan.kind],
            "env": [{"name": "LD_LIBRARY_PATH", "value": "/usr/local/nvidia/lib64"}],
            "securityContext": {"capabilities": {"add": _DAEMON_CAPABILITIES[plan.kind]}},
            "volumeMounts": [{"name": name, "mountPath": path} for name, path in mounts.items()],
        }
    ]


def daemon_name(plan: FabricPlan) -> str:
    """The name of the daemon's container."""
    return f"{plan.kind}-daemon"
