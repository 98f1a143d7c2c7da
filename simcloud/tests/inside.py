"""Connections, objects and charts for the tests of what is inside simulated clusters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HOST = "https://34.72.0.10"  # of the first cluster in a cloud
PEM = "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n"
CONNECTION = {"host": HOST, "token": "simulated", "cluster_ca_certificate": PEM}
NODE_PORT = {"port": 80, "target_port": "8080"}


TOLERATED = [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]
CLUSTER = {"location": "us-central1-a", "initial_node_count": 1, "deletion_protection": False}


def meta(name: str, namespace: str | None = None, **more: Any) -> list[dict[str, Any]]:
    return [{"name": name, **({"namespace": namespace} if namespace else {}), **more}]


def pod(**spec: Any) -> list[dict[str, Any]]:
    container = {"name": "main", "image": "busybox:1.36", **spec.pop("container", {})}
    return [{"metadata": [{"labels": {"app": "x"}}], "spec": [{"container": [container], **spec}]}]


def chart(folder: Path, name: str = "objects") -> str:
    (folder / name).mkdir()
    (folder / name / "Chart.yaml").write_text(f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n")
    return f"./{name}"


def values(*objects: dict[str, Any]) -> list[str]:
    return [json.dumps({"objects": objects})]
