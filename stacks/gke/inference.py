"""Models behind a gateway: the load balancer, what chooses among the pods of each model, and its route."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from constructs import Construct

from clusterprint.plan.gke.inference import GatewayPlan, InferencePlan, ModelPlan
from stacks.gke.inference_objective_definition import DEFINITION
from stacks.kubernetes.chart import Chart
from stacks.kubernetes.namespaces import Namespaces
from stacks.kubernetes.objects import Objects

_GATEWAYS = "gateway.networking.k8s.io"
_POLICIES = "networking.gke.io/v1"
_POOLS = "inference.networking.k8s.io"
_OBJECTIVES = "inference.networking.x-k8s.io/v1alpha2"


class Inference(Construct):
    """The gateway, and one release of each model. `after` has to be there before."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        namespaces: Namespaces,
        after: Sequence[TerraformResource],
        plan: InferencePlan,
    ) -> None:
        super().__init__(scope, id)
        home = plan.gateway.namespace
        known = self._definition(home, [*namespaces.before(home), *after]) if plan.objectives else []
        gateway = Objects(
            self,
            "gateway",
            name="inference-gateway",
            namespace=home,
            objects={"gateway": _gateway(plan.gateway)},
            after=[*namespaces.before(home), *after],
        )
        for model in plan.models:
            before = [*known, gateway.resource, *namespaces.before(model.namespace)]
            if model.chooser:
                # It looks for objectives from its first second on.
                before.append(Chart(self, f"model-{model.key}", after=before, plan=model.chooser).resource)
            Objects(
                self,
                f"route-{model.key}",
                name=model.release,
                namespace=model.namespace,
                objects=_objects(model, plan.gateway),
                after=before,
            )

    def _definition(self, namespace: str, after: list[TerraformResource]) -> list[TerraformResource]:
        """Of objectives, which GKE does not bring."""
        definition = Objects(
            self,
            "definition",
            name="inference-definition",
            namespace=namespace,
            objects={"objectives": DEFINITION},
            after=after,
        )
        return [definition.resource]


def _gateway(plan: GatewayPlan) -> dict[str, Any]:
    tls = {"tls": {"mode": "Terminate", "options": {"networking.gke.io/pre-shared-certs": plan.certificate}}}
    known = {"key": "kubernetes.io/metadata.name", "operator": "In", "values": list(plan.namespaces)}
    return {
        "apiVersion": f"{_GATEWAYS}/v1",
        "kind": "Gateway",
        "metadata": {"name": plan.name, "namespace": plan.namespace},
        "spec": {
            "gatewayClassName": plan.gateway_class,
            "listeners": [
                {
                    "name": "models",
                    "protocol": "HTTPS" if plan.certificate else "HTTP",
                    "port": plan.port,
                    **(tls if plan.certificate else {}),
                    "allowedRoutes": {
                        "kinds": [{"group": _GATEWAYS, "kind": "HTTPRoute"}],
                        "namespaces": (
                            {"from": "Selector", "selector": {"matchExpressions": [known]}}
                            if plan.namespaces
                            else {"from": "Same"}
                        ),
                    },
                }
            ],
        },
    }


def _objects(model: ModelPlan, gateway: GatewayPlan) -> dict[str, dict[str, Any]]:
    """The route to a model, and how the load balancer treats what is behind it."""
    target = (
        {"group": _POOLS, "kind": "InferencePool", "name": model.chooser.name}
        if model.chooser
        else {"group": "", "kind": "Service", "name": model.service}
    )
    port = {"port": model.health.port} if model.health.port else {}
    health = {
        "timeoutSec": model.health.seconds,
        "checkIntervalSec": model.health.seconds,
        "config": {"type": "HTTP", "httpHealthCheck": {"requestPath": model.health.path, **port}},
    }
    return {
        "route": _object(model, f"{_GATEWAYS}/v1", "HTTPRoute", _route(model, gateway, target)),
        "health": _object(model, _POLICIES, "HealthCheckPolicy", {"targetRef": target, "default": health}),
        "backend": _object(
            model,
            _POLICIES,
            "GCPBackendPolicy",
            {"targetRef": target, "default": {"timeoutSec": model.timeout_seconds}},
        ),
        **{
            f"objective-{name}": _object(
                model, _OBJECTIVES, "InferenceObjective", {"poolRef": target, "priority": priority}, name
            )
            for name, priority in model.objectives.items()
        },
    }


def _route(model: ModelPlan, gateway: GatewayPlan, target: dict[str, str]) -> dict[str, Any]:
    backend = target if model.chooser else {**target, "port": model.port}
    return {
        "parentRefs": [{"name": gateway.name, "namespace": gateway.namespace}],
        **({"hostnames": list(model.hosts)} if model.hosts else {}),
        "rules": [
            {
                "matches": [{"path": {"type": "PathPrefix", "value": model.path}}],
                "backendRefs": [backend],
            }
        ],
    }


def _object(
    model: ModelPlan, api_version: str, kind: str, spec: dict[str, Any], name: str = ""
) -> dict[str, Any]:
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name or model.name, "namespace": model.namespace},
        "spec": spec,
    }
