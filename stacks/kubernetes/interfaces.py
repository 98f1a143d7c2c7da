"""The Kubernetes daemon that sets up the interfaces of bare metal nodes."""

from typing import Any

from clusterprint.plan.kubernetes import InterfaceProgramPlan
from stacks.kubernetes.plugins import NAMESPACE
from stacks.kubernetes.pod import variables

_PAGES = "huge-pages"


def interface_program(plan: InterfaceProgramPlan) -> dict[str, Any]:
    """A pod on each node with GPUs of this type, whatever its taints, as part of the node."""
    labels = {"k8s-app": plan.key}
    alive = {"httpGet": {"path": plan.health_path, "port": plan.health_port}}
    amounts = {"hugepages-2Mi": f"{plan.huge_pages_mib}Mi", "memory": f"{plan.memory_mib}Mi"}
    container = {
        "name": plan.key,
        "image": plan.image,
        "command": list(plan.command),
        "env": variables(plan.env),
        "resources": {"limits": amounts, "requests": amounts},
        "securityContext": {"privileged": True},
        "livenessProbe": {**alive, "initialDelaySeconds": plan.health_delay_seconds},
        "readinessProbe": alive,
        "volumeMounts": [
            *({"name": name, "mountPath": path} for name, path in plan.folders.items()),
            {"name": _PAGES, "mountPath": "/hugepages-2Mi"},
        ],
    }
    beside = {
        "name": plan.beside.key,
        "image": plan.beside.image,
        # Its tag moves: a node takes the newest.
        "imagePullPolicy": "Always",
        "command": list(plan.beside.command),
        "env": [{"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}],
        "securityContext": {"privileged": True},
        "volumeMounts": [{"name": name, "mountPath": path} for name, path in plan.beside.folders.items()],
    }
    spec = {
        "priorityClassName": "system-node-critical",
        "hostNetwork": True,
        "hostPID": True,
        "nodeSelector": {"cloud.google.com/gke-accelerator": plan.accelerator},
        "tolerations": [{"operator": "Exists"}],
        "containers": [container, beside],
        "volumes": [
            *(
                # Some of them are the program's own, and not there on a new node.
                {"name": name, "hostPath": {"path": path, "type": "DirectoryOrCreate"}}
                for name, path in {**plan.folders, **plan.beside.folders}.items()
            ),
            {"name": _PAGES, "emptyDir": {"medium": "HugePages-2Mi"}},
        ],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": plan.key, "namespace": NAMESPACE, "labels": labels},
        "spec": {
            "selector": {"matchLabels": labels},
            # A node without it has no RDMA: one after the other.
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1}},
            "template": {"metadata": {"labels": labels}, "spec": spec},
        },
    }
