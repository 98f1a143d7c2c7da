"""Queues: Kueue, the nodes of each pool as a flavor, one cluster queue and its local queues."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from constructs import Construct

from clusterprint.plan.gke.queues import FlavorPlan, ProvisioningPlan, QueuesPlan
from stacks.kubernetes.chart import Chart
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.tolerations import tolerations


class Queues(Construct):
    """Kueue with its queues. `ready` has to be there before the first job that is queued."""

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: QueuesPlan
    ) -> None:
        super().__init__(scope, id)
        chart = Chart(self, "Default", after=after, plan=plan.chart)
        objects = Objects(
            self,
            "queues",
            name="kueue-queues",
            namespace=plan.chart.namespace,
            objects=queue_objects(plan),
            after=[chart.resource],
        )
        self.ready = objects.resource


def queue_objects(plan: QueuesPlan) -> dict[str, dict[str, Any]]:
    """All objects of Kueue, by key."""
    return {
        **{f"flavor-{each.name}": _flavor(plan, each) for each in plan.flavors},
        "cluster-queue": _object(
            plan,
            "ClusterQueue",
            {"name": plan.cluster_queue},
            {
                "namespaceSelector": {},
                "queueingStrategy": "BestEffortFIFO",
                "resourceGroups": [_group(plan)],
                **_checks(plan),
            },
        ),
        **{
            f"{kind}-{each.name}": made
            for each in plan.provisioning
            for kind, made in _provisioning(plan, each).items()
        },
        **{
            f"local-queue-{each.namespace}_{each.name}": _object(
                plan,
                "LocalQueue",
                {"name": each.name, "namespace": each.namespace},
                {"clusterQueue": plan.cluster_queue},
            )
            for each in plan.local_queues
        },
    }


def _object(plan: QueuesPlan, kind: str, metadata: dict[str, str], spec: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": f"kueue.x-k8s.io/{plan.api_version}",
        "kind": kind,
        "metadata": metadata,
        "spec": spec,
    }


def _flavor(plan: QueuesPlan, flavor: FlavorPlan) -> dict[str, Any]:
    return _object(
        plan,
        "ResourceFlavor",
        {"name": flavor.name},
        {"nodeLabels": flavor.labels, "tolerations": tolerations(flavor.tolerations)},
    )


def _provisioning(plan: QueuesPlan, nodes: ProvisioningPlan) -> dict[str, dict[str, Any]]:
    """A job is admitted when its nodes have been granted: Kueue asks for them, all at once."""
    configuration = {"name": nodes.name}
    seconds = nodes.max_run_seconds
    return {
        "configuration": _object(
            plan,
            "ProvisioningRequestConfig",
            configuration,
            {
                "provisioningClassName": "queued-provisioning.gke.io",
                "managedResources": list(nodes.resources),
                # A job runs on the nodes that were granted to it, not on those of the next one in the pool.
                "podSetUpdates": {
                    "nodeSelector": [
                        {"key": nodes.node_label, "valueFromProvisioningClassDetail": nodes.node_label_value}
                    ]
                },
                **({"parameters": {"maxRunDurationSeconds": str(seconds)}} if seconds else {}),
            },
        ),
        "check": _object(
            plan,
            "AdmissionCheck",
            {"name": nodes.name},
            {
                "controllerName": "kueue.x-k8s.io/provisioning-request",
                "parameters": {
                    "apiGroup": "kueue.x-k8s.io",
                    "kind": "ProvisioningRequestConfig",
                    **configuration,
                },
            },
        ),
    }


def _checks(plan: QueuesPlan) -> dict[str, Any]:
    checks = [{"name": each.name, "onFlavors": [each.flavor]} for each in plan.provisioning]
    return {"admissionChecksStrategy": {"admissionChecks": checks}} if checks else {}


def _group(plan: QueuesPlan) -> dict[str, Any]:
    """Every flavor has a quota of every resource, in the same order: Kueue insists on both."""
    return {
        "coveredResources": list(plan.resources),
        "flavors": [
            {
                "name": flavor.name,
                "resources": [
                    {"name": resource, "nominalQuota": flavor.quotas[resource]} for resource in plan.resources
                ],
            }
            for flavor in plan.flavors
        ],
    }
