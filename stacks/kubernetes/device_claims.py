"""Interfaces of nodes that pods claim as devices, in the words of Kubernetes."""

from collections.abc import Iterable, Mapping
from typing import Any

from cdktf import TerraformResource
from constructs import Construct

from clusterprint.plan.kubernetes import DeviceClaimPlan
from stacks.kubernetes.namespaces import Namespaces
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.pod import PodSpec

_CLAIM = "network"


def lay_templates(
    scope: Construct, namespaces: Namespaces, claims: Mapping[str, Iterable[DeviceClaimPlan]]
) -> list[TerraformResource]:
    """Make the templates of claims, by namespace; they have to be there before pods that name them."""
    return [
        Objects(
            scope,
            f"device-claims-{namespace}",
            name="device-claims",
            namespace=namespace,
            objects={each.template: _template(each, namespace) for each in plans},
            after=namespaces.before(namespace),
        ).resource
        for namespace, plans in claims.items()
    ]


def claim_devices(spec: PodSpec, plan: DeviceClaimPlan | None) -> PodSpec:
    """Give the first container of a pod what it claims of its node, if there is anything."""
    return claim(spec, _CLAIM, plan.template) if plan else spec


def claim(spec: PodSpec, name: str, template: str) -> PodSpec:
    """Let a pod have a claim that is made from a template, for its first container."""
    spec.setdefault("resourceClaims", []).append({"name": name, "resourceClaimTemplateName": template})
    resources = spec["containers"][0].setdefault("resources", {})
    resources.setdefault("claims", []).append({"name": name})
    return spec


def _template(plan: DeviceClaimPlan, namespace: str) -> dict[str, Any]:
    exact = {"allocationMode": "ExactCount", "count": plan.count}
    number = exact if plan.count else {"allocationMode": "All"}
    request = {"name": _CLAIM, "exactly": {"deviceClassName": plan.device_class, **number}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": plan.template, "namespace": namespace},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }
