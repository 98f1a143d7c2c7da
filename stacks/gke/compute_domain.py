"""NVLink between the nodes of a job: its domain, and how pods join."""

from typing import Any

from clusterprint.plan.gke.jobs import ComputeDomainPlan
from stacks.kubernetes.device_claims import claim
from stacks.kubernetes.pod import PodSpec

_CLAIM = "compute-domain-channel"


def domain_objects(plan: ComputeDomainPlan | None, namespace: str) -> dict[str, dict[str, Any]]:
    """The domain, by key. Its controller makes the template of claims that pods name."""
    if plan is None:
        return {}
    return {
        f"domain-{plan.name}": {
            "apiVersion": "resource.nvidia.com/v1beta1",
            "kind": "ComputeDomain",
            "metadata": {"name": plan.name, "namespace": namespace},
            "spec": {
                "numNodes": plan.nodes,
                "channel": {"resourceClaimTemplate": {"name": plan.claim_template}},
            },
        }
    }


def join_domain(spec: PodSpec, plan: ComputeDomainPlan | None) -> PodSpec:
    """Let the first container of a pod join a domain, if there is one."""
    return claim(spec, _CLAIM, plan.claim_template) if plan else spec
