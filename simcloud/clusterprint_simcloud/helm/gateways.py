"""Gateways and routes: which of them would ever get an address, and lead anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError, Record
from clusterprint_simcloud.google.gke.places import region_of
from clusterprint_simcloud.google.links import name_of
from clusterprint_simcloud.google.network import NETWORK, subnetworks_of
from clusterprint_simcloud.helm.charts import Object
from clusterprint_simcloud.kubernetes.api import GATEWAYS, POOLS
from clusterprint_simcloud.kubernetes.cluster import home, record_of
from clusterprint_simcloud.kubernetes.objects import HELM_RELEASE

GATEWAY = f"Gateway.{GATEWAYS}"
ROUTE = f"HTTPRoute.{GATEWAYS}"
_REGIONAL = ("gke-l7-rilb", "gke-l7-regional-external-managed")
# The chart that makes a pool of its release's name.
_CHART = "inferencepool"


def check_gateway(request: Request, one: Object, _objects: Sequence[Object]) -> None:
    """Documentation "Deploying Gateways": regional ones need a subnet for their proxies."""
    if (one.content.get("spec") or {}).get("gatewayClassName") not in _REGIONAL:
        return
    cluster = record_of(request).state
    network = _network(request, str(cluster.get("network") or ""))
    region = region_of(str(cluster["location"]))
    for each in subnetworks_of(request.contents, network) if network else ():
        state = each.state
        proxies = state.get("purpose") == "REGIONAL_MANAGED_PROXY" and state.get("role") == "ACTIVE"
        if proxies and name_of(str(state["region"])) == region:
            return
    raise ApiError(
        f'{one.api} "{one.name}" would never be ready: '
        f"there is no active proxy-only subnetwork in {region} of network '{cluster.get('network')}'"
    )


def check_route(request: Request, one: Object, objects: Sequence[Object]) -> None:
    """A route without its gateway, or to a pool that there is not, leads nowhere."""
    spec = one.content.get("spec") or {}
    for parent in spec.get("parentRefs") or []:
        namespace = str(parent.get("namespace") or one.namespace or request.text("namespace"))
        if not _is_there(request, GATEWAY, namespace, str(parent.get("name")), objects):
            raise _never(one, f"there is no Gateway '{namespace}/{parent.get('name')}'")
    for rule in spec.get("rules") or []:
        for target in rule.get("backendRefs") or []:
            namespace = str(target.get("namespace") or one.namespace or request.text("namespace"))
            pool = target.get("kind") == "InferencePool"
            if pool and not _has_pool(request, namespace, str(target.get("name")), objects):
                raise _never(one, f"there is no InferencePool '{namespace}/{target.get('name')}'")


def _never(one: Object, text: str) -> ApiError:
    return ApiError(f'{one.api} "{one.name}" would never be ready: {text}')


def _network(request: Request, link: str) -> Record | None:
    found = request.contents.of(NETWORK)
    return next((each for each in found if each.state.get("name") == name_of(link)), None)


def _is_there(request: Request, api: str, namespace: str, name: str, objects: Sequence[Object]) -> bool:
    if any(each.api == api and each.name == name for each in objects):
        return True
    return request.contents.get(api, f"{home(request)}/{namespace}/{name}") is not None


def _has_pool(request: Request, namespace: str, name: str, objects: Sequence[Object]) -> bool:
    if _is_there(request, f"InferencePool.{POOLS}", namespace, name, objects):
        return True
    release = request.contents.get(HELM_RELEASE, f"{home(request)}/{namespace}/{name}")
    return release is not None and str(release.state.get("chart")).endswith(_CHART)
