"""Access to the dashboard of Ray."""

import json

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import names, ports
from clusterprint.plan.ray.ray import DashboardPlan, ProxyPlan

_PROXY_PORT = 8443
_PROXY_CONFIG = "/etc/kube-rbac-proxy"
# The user that its makers' image has.
_PROXY_USER = 65532
_HEALTH_PATH = "/api/gcs_healthz"


def resolve_dashboard(blueprint: RayBlueprint) -> DashboardPlan | None:
    """The internal load balancer, if there is to be one."""
    dashboard = blueprint.ray.dashboard
    if dashboard.ingress == "none":
        return None
    return DashboardPlan(
        name=names.dashboard(blueprint.name),
        port=ports.RAY["dashboard"] if dashboard.authentication == "none" else _PROXY_PORT,
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
        config_path=_PROXY_CONFIG,
        args=(
            f"--insecure-listen-address=0.0.0.0:{_PROXY_PORT}",
            f"--upstream=http://127.0.0.1:{ports.RAY['dashboard']}/",
            f"--config-file={_PROXY_CONFIG}/config.yaml",
            # The load balancer looks here whether the head is well, and has no token.
            f"--ignore-paths={_HEALTH_PATH}",
        ),
        requests={"cpu": "100m", "memory": "64Mi"},
        limits={"memory": "128Mi"},
        user_id=_PROXY_USER,
    )
