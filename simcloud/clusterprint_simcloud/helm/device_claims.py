"""Devices that pods claim: by a template, which has to be there, and a class, which somebody has to hand out.

Source: Kubernetes documentation "Dynamic Resource Allocation".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.helm.charts import Object
from clusterprint_simcloud.kubernetes.cluster import home

TEMPLATE = "ResourceClaimTemplate.resource.k8s.io"
# Classes that GKE brings for network devices; those of others are not looked at.
_OF_GKE = ("mrdma.google.com", "netdev.google.com")


def kept(one: Object) -> dict[str, Any]:
    """Facts about an object to keep, besides its name."""
    return {"spec": one.content.get("spec")} if one.api == TEMPLATE else {}


def claimed(
    request: Request, one: Object, spec: Mapping[str, Any], objects: Sequence[Object]
) -> dict[str, int]:
    """The network devices that a pod claims, by class; 0 is all that a node has.

    :raises ApiError: if it claims by a template that nobody makes, or in no container.
    """
    found: dict[str, int] = {}
    used = {
        str(claim.get("name"))
        for container in spec.get("containers") or []
        for claim in (container.get("resources") or {}).get("claims") or []
    }
    names = {str(claim.get("name")) for claim in spec.get("resourceClaims") or []}
    if used - names:
        raise _never(one, f"a container uses the claim '{min(used - names)}', which the pod does not have")
    for claim in spec.get("resourceClaims") or []:
        template = claim.get("resourceClaimTemplateName")
        if not template:
            continue
        content = _template(request, one, str(template), objects)
        if content is None:
            raise _never(one, f"nobody makes the resource claim template '{template}'")
        found |= dict(_devices(content))
    return found


def _template(request: Request, one: Object, name: str, objects: Sequence[Object]) -> dict[str, Any] | None:
    """The content of a template: in this release, in the namespace, or made for a ComputeDomain."""
    for other in objects:
        if other.api == TEMPLATE and other.name == name:
            return other.content.get("spec") or {}
        if other.api == "ComputeDomain.resource.nvidia.com":
            channel = (other.content.get("spec") or {}).get("channel") or {}
            if (channel.get("resourceClaimTemplate") or {}).get("name") == name:
                return {}
    namespace = one.namespace or request.text("namespace")
    there = request.contents.get(TEMPLATE, f"{home(request)}/{namespace}/{name}")
    return None if there is None else there.state.get("spec") or {}


def _devices(template: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    requests = ((template.get("spec") or {}).get("devices") or {}).get("requests") or []
    for wanted in (each.get("exactly") or {} for each in requests):
        name = str(wanted.get("deviceClassName"))
        if name in _OF_GKE:
            exact = wanted.get("allocationMode", "ExactCount") == "ExactCount"
            yield name, int(wanted.get("count") or 1) if exact else 0


def _never(one: Object, text: str) -> ApiError:
    return ApiError(f'{one.api} "{one.name}" would never be ready: {text}')
