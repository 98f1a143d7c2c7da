"""Pods, as workloads describe them: what must be there for them to start, and what does not go together."""

from __future__ import annotations

from collections.abc import Iterator

from clusterprint_simcloud.cloud.behaviour import Computed, Reference, Request, State
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.kubernetes.cluster import ACCOUNT, PRIORITY_CLASS
from clusterprint_simcloud.kubernetes.objects import clusterwide_named, invalid, named, neighbour
from clusterprint_simcloud.values import at

CONFIG_MAP = "kubernetes_config_map_v1"
CLAIM = "kubernetes_persistent_volume_claim_v1"

_CONTAINERS = ("container", "init_container")
# Where pods use a config map; in each place the name is `name`.
_CONFIG_MAPS = (
    "volume.config_map",
    "volume.projected.sources.config_map",
    *(f"{kind}.env_from.config_map_ref" for kind in _CONTAINERS),
    *(f"{kind}.env.value_from.config_map_key_ref" for kind in _CONTAINERS),
)


def computed(pod: str) -> dict[str, Computed]:
    """The defaults of the API server."""
    found: dict[str, Computed] = {
        "scheduler_name": "default-scheduler",
        "service_account_name": "default",
    }
    for container in _CONTAINERS:
        found |= {
            f"{container}.image_pull_policy": "IfNotPresent",
            f"{container}.termination_message_policy": "File",
        }
    return {f"{pod}.{name}": one for name, one in found.items()}


def references(pod: str) -> list[Reference]:
    """The objects to which pods refer. Secrets are assumed to exist: they are often created by hand."""
    return [
        named(f"{pod}.service_account_name", ACCOUNT, "serviceaccounts"),
        named(
            f"{pod}.volume.persistent_volume_claim.claim_name", CLAIM, "persistentvolumeclaims", holds=True
        ),
        clusterwide_named(f"{pod}.priority_class_name", PRIORITY_CLASS, "no PriorityClass with name"),
    ]


def check(request: Request, pod: str) -> None:
    """Refuse pods that the API server would not accept, or that could never start.

    :raises ApiError: for the first mistake.
    """
    for _, specs in at(request.state, pod):
        for spec in specs if isinstance(specs, list) else []:
            _check_names(request, spec, pod)
            _check_mounts(request, spec, pod)
            _check_resources(request, spec, pod)
            _check_config_maps(request, spec)


def _containers(spec: State) -> Iterator[tuple[str, State]]:
    for kind in _CONTAINERS:
        for index, container in enumerate(spec.get(kind) or []):
            yield f"{_camel(kind)}s[{index}]", container


def _check_names(request: Request, spec: State, pod: str) -> None:
    if not spec.get("container"):
        raise invalid(request, request.kind.label, f"{pod}.containers: Required value")
    names = [str(container.get("name")) for _, container in _containers(spec)]
    volumes = [str(volume.get("name")) for volume in spec.get("volume") or []]
    for what, found in (("containers", names), ("volumes", volumes)):
        twice = next((one for one in found if found.count(one) > 1), None)
        if twice is not None:
            raise invalid(request, request.kind.label, f'{pod}.{what}: Duplicate value: "{twice}"')


def _check_mounts(request: Request, spec: State, pod: str) -> None:
    volumes = {volume.get("name") for volume in spec.get("volume") or []}
    for place, container in _containers(spec):
        mounts = container.get("volume_mount") or []
        for index, mount in enumerate(mounts):
            if mount.get("name") not in volumes:
                where = f"{pod}.{place}.volumeMounts[{index}].name"
                raise invalid(request, request.kind.label, f'{where}: Not found: "{mount.get("name")}"')
        paths = [mount.get("mount_path") for mount in mounts]
        twice = next((one for one in paths if paths.count(one) > 1), None)
        if twice is not None:
            text = f'{pod}.{place}.volumeMounts: Invalid value: "{twice}": must be unique'
            raise invalid(request, request.kind.label, text)


def _check_resources(request: Request, spec: State, pod: str) -> None:
    """Extended resources (GPUs, TPUs, interfaces) cannot be overcommitted."""
    for place, container in _containers(spec):
        for resources in container.get("resources") or []:
            requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
            for name, amount in requests.items():
                if "/" in name and limits.get(name) != amount:
                    where = f"{pod}.{place}.resources.limits"
                    text = (
                        f'{where}: Required value: Limit must be set for non overcommitable resource "{name}"'
                    )
                    raise invalid(request, request.kind.label, text)


def _check_config_maps(request: Request, spec: State) -> None:
    for path in _CONFIG_MAPS:
        for _, found in at(spec, path):
            for use in found if isinstance(found, list) else []:
                if not use.get("optional"):
                    _check_config_map(request, use)


def _check_config_map(request: Request, use: State) -> None:
    name = str(use.get("name") or "")
    record = neighbour(request, CONFIG_MAP, name)
    if record is None:
        raise ApiError(f'{request.kind.label}: its pods cannot start: configmap "{name}" not found')
    wanted = [use.get("key"), *(item.get("key") for item in use.get("items") or [])]
    if record.type != CONFIG_MAP:
        return
    there = {**(record.state.get("data") or {}), **(record.state.get("binary_data") or {})}
    for key in wanted:
        if key and key not in there:
            text = f'its pods cannot start: configmap "{name}" has no key "{key}"'
            raise ApiError(f"{request.kind.label}: {text}")


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(one.capitalize() for one in others)
