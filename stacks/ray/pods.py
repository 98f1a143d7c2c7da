"""Ray pods as objects of Kubernetes."""

from clusterprint.plan.kubernetes import FabricPlan
from clusterprint.plan.ray.ray import ProxyPlan, RayClusterSpecPlan, RayPodPlan, WorkerGroupPlan
from stacks.kubernetes.device_claims import claim_devices
from stacks.kubernetes.fabric import (
    fabric_annotations,
    fabric_daemons,
    fabric_mounts,
    fabric_volumes,
)
from stacks.kubernetes.pod import KEPT, Container, Memory, Pod, Port, Source, Volume, variables
from stacks.kubernetes.pod_volumes import use_volumes
from stacks.kubernetes.tolerations import tolerations

_GIB = "Gi"


def head(spec: RayClusterSpecPlan, plan: RayPodPlan, proxy: ProxyPlan | None) -> Pod:
    """The pod template of the head; with a proxy beside the dashboard where others than this cluster come."""
    pod = _pod("ray-head", spec, plan, {"logs": spec.folders.logs})
    container = pod["spec"]["containers"][0]
    container["ports"] = [Port(name=name, containerPort=port) for name, port in spec.ports.items()]
    if spec.programs:
        _add_volume(pod, container, "programs", spec.programs_path, {"configMap": {"name": spec.programs}})
    if proxy:
        sidecar = _proxy(proxy)
        pod["spec"]["containers"].append(sidecar)
        source: Source = {"configMap": {"name": proxy.config_map}}
        _add_volume(pod, sidecar, "proxy", proxy.config_path, source)
    return pod


def worker(spec: RayClusterSpecPlan, group: WorkerGroupPlan) -> Pod:
    """The pod template of a group of workers, connected to the networks between GPUs."""
    pod = _pod("ray-worker", spec, group.pod, {"temporary": spec.folders.temporary})
    if group.pod.fabric:
        _connect(pod, group.pod.fabric)
    claim_devices(pod["spec"], group.pod.claim)
    return pod


def _connect(pod: Pod, fabric: FabricPlan) -> None:
    """Give a pod the interfaces of its node, and the plug-in that uses them."""
    container = pod["spec"]["containers"][0]
    pod["metadata"]["annotations"].update(fabric_annotations(fabric))
    pod["spec"]["volumes"] += fabric_volumes(fabric)
    pod["spec"]["containers"] += fabric_daemons(fabric)
    container["volumeMounts"] += fabric_mounts(fabric)
    names = {each["name"] for each in container["env"]}
    container["env"] += variables({key: value for key, value in fabric.env.items() if key not in names})
    if fabric.profile:
        # The operator runs it in the shell that starts Ray.
        container["command"] = ["source", fabric.profile]
    if fabric.capabilities:
        container["securityContext"] = {"capabilities": {"add": list(fabric.capabilities)}}


def _pod(name: str, spec: RayClusterSpecPlan, plan: RayPodPlan, folders: dict[str, str]) -> Pod:
    """A pod with what all have; `folders` are on the disks of its node, by the names of their volumes."""
    amounts = _amounts(plan)
    container: Container = {
        "name": name,
        "image": spec.image,
        "env": variables(dict(sorted(spec.environment.items()))),
        # The same twice: Ray schedules by what a pod has, so it must have what it asks for.
        "resources": {"requests": amounts, "limits": amounts},
        "volumeMounts": [],
    }
    pod: Pod = {
        "metadata": {"annotations": {**KEPT, **plan.volumes.annotations}},
        "spec": {
            "serviceAccountName": spec.service_account,
            # The autoscaler wants new pods for new nodes of Ray.
            "restartPolicy": "Never",
            "nodeSelector": dict(plan.node_selector),
            "tolerations": tolerations(plan.tolerations),
            "containers": [container],
            "volumes": [],
        },
    }
    memory: Memory = {"medium": "Memory", "sizeLimit": f"{plan.shared_memory_gb}{_GIB}"}
    _add_volume(pod, container, "shared-memory", spec.folders.shared_memory, {"emptyDir": memory})
    for volume, path in folders.items():
        _add_volume(pod, container, volume, path, {"emptyDir": {}})
    use_volumes(pod["spec"], container, plan.volumes)
    return pod


def _amounts(plan: RayPodPlan) -> dict[str, str]:
    found = {"cpu": str(plan.cpus), "memory": f"{plan.memory_gb}{_GIB}"}
    if plan.storage_gb:
        found["ephemeral-storage"] = f"{plan.storage_gb}{_GIB}"
    if plan.gpus:
        found["nvidia.com/gpu"] = str(plan.gpus)
    if plan.tpus:
        found["google.com/tpu"] = str(plan.tpus)
    return found


def _proxy(plan: ProxyPlan) -> Container:
    return {
        "name": "proxy",
        "image": plan.image,
        "args": list(plan.args),
        "ports": [{"name": "proxy", "containerPort": plan.port}],
        "resources": {"requests": plan.requests, "limits": plan.limits},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "runAsNonRoot": True,
            "runAsUser": plan.user_id,
        },
        "volumeMounts": [],
    }


def _add_volume(pod: Pod, container: Container, name: str, path: str, source: Source) -> None:
    pod["spec"]["volumes"].append(Volume(name=name, **source))
    container["volumeMounts"].append({"name": name, "mountPath": path})
