"""Ray pods as objects of Kubernetes."""

from typing import Any

from clusterprint.plan.kubernetes import FabricPlan
from clusterprint.plan.ray.ray import MountPlan, ProxyPlan, RayClusterSpecPlan, RayPodPlan, WorkerGroupPlan
from stacks.kubernetes.fabric import (
    fabric_annotations,
    fabric_capabilities,
    fabric_daemons,
    fabric_mounts,
    fabric_volumes,
)
from stacks.kubernetes.tolerations import tolerations

_GIB = "Gi"
_PROGRAMS = "/opt/clusterprint"
_PROXY_CONFIG = "/etc/kube-rbac-proxy"
PORTS = {"gcs-server": 6379, "dashboard": 8265, "client": 10001, "serve": 8000, "metrics": 8080}

# How Google tunes the mount for training: many files, read in parallel and again, written as they come.
_MOUNT_OPTIONS = (
    "implicit-dirs",
    "file-mode=777",
    "dir-mode=777",
    "file-cache:max-size-mb:-1",
    "file-cache:enable-parallel-downloads:true",
    "file-cache:cache-file-for-range-read:true",
    "file-system:kernel-list-cache-ttl-secs:-1",
    "write:enable-streaming-writes:true",
    "read_ahead_kb=1024",
)


def head(spec: RayClusterSpecPlan, proxy: ProxyPlan | None) -> dict[str, Any]:
    """The pod template of the head; with a proxy beside the dashboard where others than this cluster come."""
    pod = _pod("ray-head", spec, spec.head)
    container = pod["spec"]["containers"][0]
    container["ports"] = [{"name": name, "containerPort": port} for name, port in PORTS.items()]
    if spec.programs:
        _add_volume(pod, container, "programs", _PROGRAMS, {"configMap": {"name": spec.programs}})
    if proxy:
        sidecar = _proxy(proxy)
        pod["spec"]["containers"].append(sidecar)
        source = {"configMap": {"name": proxy.config_map}}
        _add_volume(pod, sidecar, "proxy", _PROXY_CONFIG, source)
    return pod


def worker(spec: RayClusterSpecPlan, group: WorkerGroupPlan) -> dict[str, Any]:
    """The pod template of a group of workers, connected to the networks between GPUs."""
    pod = _pod("ray-worker", spec, group.pod)
    if group.pod.fabric:
        _connect(pod, group.pod.fabric)
    return pod


# What sets NCCL up for the networks; the operator runs it in the shell that starts Ray.
_SET_UP = {
    "tcpxo": (
        "NCCL_LIB_DIR=/usr/local/nvidia/lib64",
        "source",
        "/usr/local/nvidia/lib64/nccl-env-profile.sh",
    ),
    "roce": ("source", "/usr/local/gib/scripts/set_nccl_env.sh"),
}


def _connect(pod: dict[str, Any], fabric: FabricPlan) -> None:
    """Give a pod the interfaces of its node, and the plug-in that uses them."""
    container = pod["spec"]["containers"][0]
    pod["metadata"]["annotations"].update(fabric_annotations(fabric))
    pod["spec"]["volumes"] += fabric_volumes(fabric)
    pod["spec"]["containers"] += fabric_daemons(fabric)
    container["volumeMounts"] += fabric_mounts(fabric)
    names = {each["name"] for each in container["env"]}
    container["env"] += [
        {"name": key, "value": value} for key, value in fabric.env.items() if key not in names
    ]
    if fabric.kind in _SET_UP:
        container["command"] = list(_SET_UP[fabric.kind])
    if fabric_capabilities(fabric):
        container["securityContext"] = {"capabilities": {"add": fabric_capabilities(fabric)}}


def _pod(name: str, spec: RayClusterSpecPlan, plan: RayPodPlan) -> dict[str, Any]:
    amounts = _amounts(plan)
    container: dict[str, Any] = {
        "name": name,
        "image": spec.image,
        "env": [{"name": key, "value": value} for key, value in sorted(spec.environment.items())],
        # The same twice: Ray schedules by what a pod has, so it must have what it asks for.
        "resources": {"requests": amounts, "limits": amounts},
        "volumeMounts": [],
    }
    pod: dict[str, Any] = {
        "metadata": {"annotations": {}},
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
    memory = {"medium": "Memory", "sizeLimit": f"{plan.shared_memory_gb}{_GIB}"}
    _add_volume(pod, container, "shared-memory", "/dev/shm", {"emptyDir": memory})  # noqa: S108 - in the pod
    _add_volume(pod, container, "logs", "/tmp/ray", {"emptyDir": {}})  # noqa: S108 - in the pod
    for mount in spec.mounts:
        _add_volume(pod, container, mount.key, mount.path, _bucket(mount))
    if spec.mounts:
        pod["metadata"]["annotations"].update(_FUSE_ANNOTATIONS)
    return pod


# The file system runs in a container of its own, without limits: it caches as much as the node has room for.
_FUSE_ANNOTATIONS = {
    "gke-gcsfuse/volumes": "true",
    "gke-gcsfuse/cpu-limit": "0",
    "gke-gcsfuse/memory-limit": "0",
    "gke-gcsfuse/ephemeral-storage-limit": "0",
}


def _bucket(mount: MountPlan) -> dict[str, Any]:
    return {
        "csi": {
            "driver": "gcsfuse.csi.storage.gke.io",
            "readOnly": mount.read_only,
            "volumeAttributes": {
                "bucketName": mount.bucket,
                "mountOptions": ",".join(_MOUNT_OPTIONS),
                "gcsfuseMetadataPrefetchOnMount": "true",
            },
        }
    }


def _amounts(plan: RayPodPlan) -> dict[str, str]:
    found = {"cpu": str(plan.cpus), "memory": f"{plan.memory_gb}{_GIB}"}
    if plan.gpus:
        found["nvidia.com/gpu"] = str(plan.gpus)
    if plan.tpus:
        found["google.com/tpu"] = str(plan.tpus)
    return found


def _proxy(plan: ProxyPlan) -> dict[str, Any]:
    return {
        "name": "proxy",
        "image": plan.image,
        "args": [
            f"--insecure-listen-address=0.0.0.0:{plan.port}",
            f"--upstream=http://127.0.0.1:{PORTS['dashboard']}/",
            f"--config-file={_PROXY_CONFIG}/config.yaml",
            # The load balancer looks here whether the head is well, and has no token.
            "--ignore-paths=/api/gcs_healthz",
        ],
        "ports": [{"name": "proxy", "containerPort": plan.port}],
        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}},
        "securityContext": {"allowPrivilegeEscalation": False, "runAsNonRoot": True, "runAsUser": 65532},
        "volumeMounts": [],
    }


def _add_volume(
    pod: dict[str, Any], container: dict[str, Any], name: str, path: str, source: dict[str, Any]
) -> None:
    pod["spec"]["volumes"].append({"name": name, **source})
    container["volumeMounts"].append({"name": name, "mountPath": path})
