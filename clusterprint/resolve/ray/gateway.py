"""Decisions about the load balancer in front of Ray services."""

from msgspec import UNSET

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.gateway import Route
from clusterprint.derived import durations
from clusterprint.plan.gke.inference import HealthPlan, InferencePlan, ModelPlan
from clusterprint.resolve.gke.inference import HEALTH_SECONDS, resolve_gateway

_NAME = "ray"
# As KubeRay calls the service of what a RayService serves, and where that answers.
_SERVICE = "{}-serve-svc"
_PORT = 8000


def resolve_ray_gateway(blueprint: RayBlueprint) -> InferencePlan | None:
    """The gateway and its routes, all in Ray's namespace; None without one."""
    gateway, namespace = blueprint.ray.gateway, blueprint.ray.namespace
    if gateway is UNSET:
        return None
    return InferencePlan(
        gateway=resolve_gateway(gateway, _NAME, namespace, namespaces=()),
        objectives=False,
        models=tuple(_route(each, namespace) for each in gateway.routes),
    )


def _route(route: Route, namespace: str) -> ModelPlan:
    """Requests are spread evenly: nothing is known of what the pods are busy with."""
    return ModelPlan(
        key=route.service,
        name=route.service,
        release=f"route-{route.service}",
        namespace=namespace,
        chooser=None,
        service=_SERVICE.format(route.service),
        port=_PORT,
        hosts=route.hosts,
        path=route.path,
        health=HealthPlan(path=route.health_path, port=0, seconds=HEALTH_SECONDS),
        timeout_seconds=durations.seconds(route.timeout),
        objectives={},
    )
