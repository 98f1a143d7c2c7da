"""Kubernetes settings of a pod for the networks between GPUs."""

from clusterprint.plan.kubernetes import FabricPlan
from stacks.kubernetes.pod import Container, Mount, Volume, mounts, variables
from stacks.literal_plan import as_json


def fabric_annotations(plan: FabricPlan) -> dict[str, str]:
    """The interfaces of the pod, unless it claims them, and devices for the daemon beside it."""
    if not plan.networks:
        return {}
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


def fabric_volumes(plan: FabricPlan) -> list[Volume]:
    """The host paths that the pod mounts."""
    return [Volume(name=name, hostPath={"path": path}) for name, path in plan.folders.items()]


def fabric_mounts(plan: FabricPlan) -> list[Mount]:
    """Where the program sees it."""
    return mounts(plan.mounts)


def fabric_daemons(plan: FabricPlan) -> list[Container]:
    """The containers that run beside the program: one, or none."""
    daemon = plan.daemon
    if daemon is None:
        return []
    return [
        Container(
            name=daemon.name,
            image=daemon.image,
            command=list(daemon.command),
            env=variables(daemon.env),
            securityContext={"capabilities": {"add": list(daemon.capabilities)}},
            volumeMounts=mounts(daemon.mounts),
        )
    ]
