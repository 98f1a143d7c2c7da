"""Objects that steer pods and requests: priorities, policies, webhooks, ingress."""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.kubernetes.cluster import PRIORITY_CLASS
from clusterprint_simcloud.kubernetes.objects import clusterwide, invalid, name_of, namespaced

# Kubernetes: higher values belong to the system's own classes.
_HIGHEST_PRIORITY = 1000000000


def _check_priority(request: Request) -> None:
    if int(request.state.get("value") or 0) > _HIGHEST_PRIORITY:
        text = f"value: Forbidden: maximum allowed value of a user defined priority is {_HIGHEST_PRIORITY}"
        raise invalid(request, request.kind.label, text)
    if name_of(request.state).startswith("system-"):
        raise invalid(
            request,
            request.kind.label,
            "metadata.name: Forbidden: priority class names with 'system-' prefix",
        )
    others = [
        one
        for one in request.contents.of(PRIORITY_CLASS)
        if one.state.get("global_default") and one.id != request.identity
    ]
    same_cluster = [one for one in others if one.id.rpartition("/")[0] == request.identity.rpartition("/")[0]]
    if request.state.get("global_default") and same_cluster:
        text = f"PriorityClass {same_cluster[0].state['id']} is already marked as default"
        raise ApiError(f'{request.kind.label} "{name_of(request.state)}" is forbidden: {text}')


RESOURCES = (
    clusterwide(PRIORITY_CLASS, "priorityclasses.scheduling.k8s.io", checks=[_check_priority]),
    namespaced("kubernetes_network_policy_v1", "networkpolicies.networking.k8s.io"),
    namespaced("kubernetes_pod_disruption_budget_v1", "poddisruptionbudgets.policy"),
    namespaced(
        "kubernetes_ingress_v1",
        "ingresses.networking.k8s.io",
        computed={"status": [{"load_balancer": [{"ingress": []}]}], "spec.ingress_class_name": ""},
    ),
    clusterwide("kubernetes_ingress_class_v1", "ingressclasses.networking.k8s.io"),
    clusterwide("kubernetes_runtime_class_v1", "runtimeclasses.node.k8s.io"),
    clusterwide(
        "kubernetes_mutating_webhook_configuration_v1",
        "mutatingwebhookconfigurations.admissionregistration.k8s.io",
        computed={
            "webhook.match_policy": "Equivalent",
            "webhook.reinvocation_policy": "Never",
        },
    ),
    clusterwide(
        "kubernetes_validating_webhook_configuration_v1",
        "validatingwebhookconfigurations.admissionregistration.k8s.io",
    ),
)
