"""Who reaches the dashboard."""

import json

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import names
from clusterprint.plan.ray.ray import DashboardPlan, ProxyPlan

DASHBOARD_PORT = 8265
_PROXY_PORT = 8443
_HEALTH_PATH = "/api/gcs_healthz"


def resolve_dashboard(blueprint: RayBlueprint) -> DashboardPlan | None:
    """The internal load balancer, if there is to be one."""
    dashboard = blueprint.ray.dashboard
    if dashboard.ingress == "none":
        return None
    return DashboardPlan(
        name=names.dashboard(blueprint.name),
        port=DASHBOARD_PORT if dashboard.authentication == "none" else _PROXY_PORT,
        health_path=_HEALTH_PATH,
        host="" if dashboard.host is UNSET else dashboard.host,
        certificate="" if dashboard.certificate is UNSET else dashboard.certificate,
    )


def resolve_proxy(blueprint: RayBlueprint) -> ProxyPlan | None:
    """The proxy that asks for a token, when the dashboard is reachable through the ingress.

    It works with every version of Ray, and does not affect traffic inside the cluster: workers, jobs and
    the operator reach the dashboard directly.
    """
    dashboard = blueprint.ray.dashboard
    if dashboard.ingress == "none" or dashboard.authentication == "none":
        return None
    resource = {
        "apiGroup": "ray.io",
        "apiVersion": "v1",
        "resource": "rayclusters",
        "namespace": blueprint.ray.namespace,
        "name": blueprint.name,
    }
    given = dashboard.proxy_image
    return ProxyPlan(
        image=catalog.component("kube-rbac-proxy").image if given is UNSET else given,
        port=_PROXY_PORT,
        config_map=names.dashboard(blueprint.name),
        # JSON is YAML, and the same every time.
        config=json.dumps({"authorization": {"resourceAttributes": resource}}),
    )
