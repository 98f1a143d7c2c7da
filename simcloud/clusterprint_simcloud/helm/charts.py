"""The objects of a chart, as far as they can be known without rendering it.

Of a published chart, the API groups are known by its name. Of a chart in the stack's folder, the custom
resource definitions and all templates without template code are read. Of every release, whatever looks like
an object in its values is taken for one that it makes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from clusterprint_simcloud.cloud.contents import ApiError

# The charts' own custom resource definitions, by the chart's name.
GROUPS = {
    "appwrapper": ("workload.codeflare.dev",),
    "cert-manager": ("cert-manager.io", "acme.cert-manager.io"),
    "dra-driver-nvidia-gpu": ("resource.nvidia.com",),
    "gpu-operator": ("nvidia.com", "nfd.k8s-sigs.io"),
    "jobset": ("jobset.x-k8s.io",),
    "kubeflow-trainer": ("trainer.kubeflow.org",),
    "kuberay-operator": ("ray.io",),
    "kueue": ("kueue.x-k8s.io", "visibility.kueue.x-k8s.io"),
    "kube-prometheus-stack": ("monitoring.coreos.com",),
    "lws": ("leaderworkerset.x-k8s.io",),
    "mldiagnostics-connection-operator": ("diagon.gke.io",),
    "mpi-operator": ("kubeflow.org",),
    "nvidia-dra-driver-gpu": ("resource.nvidia.com",),
    "slurm-operator-crds": ("slinky.slurm.net",),
    "training-operator": ("kubeflow.org",),
}
# Groups of others whose objects a chart makes, by the chart's name.
NEEDED = {
    "mldiagnostics-injection-webhook": ("cert-manager.io",),
    "slurm": ("slinky.slurm.net",),
    "slurm-operator": ("cert-manager.io", "slinky.slurm.net"),
}
# Groups whose objects have finalizers: only their own controllers let them go.
FINALIZED = frozenset({"kueue.x-k8s.io"})
DEFINITION = "CustomResourceDefinition"
_TEMPLATE_CODE = "{{"


@dataclass(frozen=True)
class Object:
    """One Kubernetes object in a release."""

    kind: str
    group: str  # empty for the core API
    version: str
    name: str
    namespace: str  # empty where the object does not say
    defines: str = ""  # the API group that a custom resource definition brings
    content: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def api(self) -> str:
        """The kind with its group, as in `kubectl get`: `ClusterQueue.kueue.x-k8s.io`."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


def parse(text: str) -> list[Any]:
    """The documents of a YAML text.

    :raises ApiError: when it is none.
    """
    try:
        return list(YAML(typ="safe", pure=True).load_all(text))
    except YAMLError as error:
        message = f"---> values.yaml {' '.join(str(error).split())}"
        raise ApiError(message) from error


def objects(value: Any) -> Iterator[Object]:
    """Every mapping in a value that looks like a Kubernetes object, at any depth."""
    if isinstance(value, dict):
        api, kind = value.get("apiVersion"), value.get("kind")
        if isinstance(api, str) and isinstance(kind, str):
            yield _object(api, kind, value)
            return
        for one in value.values():
            yield from objects(one)
    elif isinstance(value, list):
        for one in value:
            yield from objects(one)
    elif isinstance(value, str) and "apiVersion:" in value and _TEMPLATE_CODE not in value:
        yield from objects(parse(value))


def _object(api: str, kind: str, value: dict[str, Any]) -> Object:
    group, _, version = api.rpartition("/")
    metadata = value.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    spec = value.get("spec") if kind == DEFINITION else None
    defines = str(spec.get("group") or "") if isinstance(spec, dict) else ""
    name, namespace = str(metadata.get("name") or ""), str(metadata.get("namespace") or "")
    return Object(kind, group, version, name, namespace, defines, value)


def tolerations(value: Any) -> Iterator[dict[str, Any]]:
    """All tolerations in a chart's values, whatever they are for."""
    if isinstance(value, dict):
        found = value.get("tolerations")
        yield from (one for one in (found if isinstance(found, list) else []) if isinstance(one, dict))
        for one in value.values():
            yield from tolerations(one)
    elif isinstance(value, list):
        for one in value:
            yield from tolerations(one)


def is_local(chart: str, repository: str) -> bool:
    """Whether a chart is a path: it comes from no repository and has no scheme."""
    return not repository and "://" not in chart


def locate(chart: str, folders: Sequence[str]) -> Path:
    """The folder of a local chart, seen from where Terraform runs.

    :raises ApiError: when there is no chart.
    """
    found = [path for one in folders or ["."] if (path := Path(one, chart)).is_dir()]
    if not found:
        message = f'could not download chart: path "{chart}" not found'
        raise ApiError(message)
    if not (found[0] / "Chart.yaml").is_file():
        message = "could not download chart: Chart.yaml file is missing"
        raise ApiError(message)
    return found[0]


def version(chart: Path) -> str:
    """The version of a chart's folder, empty if it has none."""
    said = parse((chart / "Chart.yaml").read_text("utf-8"))
    return str(said[0].get("version") or "") if said and isinstance(said[0], dict) else ""


def plain_objects(chart: Path, folder: str) -> list[Object]:
    """The objects in a chart's folder (`templates` or `crds`) whose files have no template code."""
    found: list[Object] = []
    for file in sorted((chart / folder).rglob("*.yaml")):
        text = file.read_text("utf-8")
        if _TEMPLATE_CODE not in text:
            found += objects(parse(text))
    return found
