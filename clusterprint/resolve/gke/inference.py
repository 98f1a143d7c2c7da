"""Models behind a gateway: what leads to each, and what chooses among its pods."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.inference import Inference, Model
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.blueprint.ray.gateway import Gateway
from clusterprint.derived import durations, gateways, pod_groups
from clusterprint.derived.chart_values import laid_over
from clusterprint.plan.gke.inference import GatewayPlan, HealthPlan, InferencePlan, ModelPlan
from clusterprint.plan.kubernetes import ChartPlan
from clusterprint.resolve.gke.charts import resolve_chart

_NAME = "inference"
_HTTP, _HTTPS = 80, 443

#: As often as the chart has it: a pod that fails must not get requests for long.
HEALTH_SECONDS = 2

_POOLS = "inference.networking.k8s.io/v1"
_SERVERS = {"vllm": "vllm", "triton_tensorrt_llm": "triton-tensorrt-llm"}


def resolve_inference(workloads: Workloads, folder: Path) -> InferencePlan | None:
    """The gateway and its models; None without them."""
    inference = workloads.inference
    if inference is UNSET:
        return None
    return InferencePlan(
        gateway=resolve_gateway(
            inference, _NAME, gateways.namespace(), namespaces=gateways.namespaces(inference)
        ),
        objectives=True,
        models=tuple(_model(each, inference, workloads, folder) for each in inference.models),
    )


def resolve_gateway(
    said: Inference | Gateway, name: str, namespace: str, *, namespaces: tuple[str, ...]
) -> GatewayPlan:
    """The load balancer; without `namespaces` only routes of its own lead on."""
    certificate = "" if said.certificate is UNSET else said.certificate
    return GatewayPlan(
        name=name,
        namespace=namespace,
        gateway_class="gke-l7-regional-external-managed" if said.access == "external" else "gke-l7-rilb",
        port=_HTTPS if certificate else _HTTP,
        certificate=certificate,
        namespaces=namespaces,
    )


def _model(model: Model, inference: Inference, workloads: Workloads, folder: Path) -> ModelPlan:
    port = gateways.port_of(model, workloads)
    chooser = _chooser(model, inference, port, folder) if model.service is UNSET else None
    return ModelPlan(
        key=model.name,
        name=model.name,
        release=gateways.releases(model)[1],
        namespace=model.namespace,
        chooser=chooser,
        service="" if model.service is UNSET else model.service,
        port=port,
        hosts=model.hosts,
        path=model.path,
        # Pods of a service are asked at the port that it leads to.
        health=HealthPlan(path=model.health_path, port=port if chooser else 0, seconds=HEALTH_SECONDS),
        timeout_seconds=durations.seconds(model.timeout),
        objectives={each.name: each.priority for each in model.objectives},
    )


def _chooser(model: Model, inference: Inference, port: int, folder: Path) -> ChartPlan:
    """A release of the chart. Policies of GKE are ours: its own ask for health at one path only."""
    plan = resolve_chart(gateways.CHOOSER, inference, folder)
    labels = model.pods if model.leader_worker_set is UNSET else pod_groups.leaders(model.leader_worker_set)
    ours: dict[str, Any] = {
        "inferencePool": {
            "apiVersion": _POOLS,
            "modelServers": {"matchLabels": labels},
            "modelServerType": _SERVERS[model.server],
            "targetPorts": [{"number": port}],
        },
        "provider": {"name": "none"},
    }
    return msgspec.structs.replace(
        plan,
        key=model.name,
        name=gateways.releases(model)[0],
        namespace=model.namespace,
        values=laid_over(ours, plan.values),
    )
