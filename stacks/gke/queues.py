"""Queues: Kueue, the nodes of each pool as a flavor, cluster queues with quotas, and local queues."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from constructs import Construct

from clusterprint.plan.gke.queues import (
    ClusterQueuePlan,
    FlavorPlan,
    ProvisioningPlan,
    QueuesPlan,
    QuotaPlan,
)
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
        **_topology(plan),
        **{f"flavor-{each.name}": _flavor(plan, each) for each in plan.flavors},
        **{
            # The first one has had this key since there was only one.
            f"cluster-queue-{each.name}" if index else "cluster-queue": _cluster_queue(plan, each)
            for index, each in enumerate(plan.cluster_queues)
        },
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
                {"clusterQueue": each.cluster_queue},
            )
            for each in plan.local_queues
        },
        **{f"priority-{name}": _priority(plan, name, value) for name, value in plan.priorities.items()},
    }


def _topology(plan: QueuesPlan) -> dict[str, dict[str, Any]]:
    if plan.topology is None:
        return {}
    levels = [{"nodeLabel": label} for label in plan.topology.levels]
    return {"topology": _object(plan, "Topology", {"name": plan.topology.name}, {"levels": levels})}


def _priority(plan: QueuesPlan, name: str, value: int) -> dict[str, Any]:
    """Its value stands beside the metadata, where others have their specification."""
    made = _object(plan, "WorkloadPriorityClass", {"name": name}, {})
    del made["spec"]
    return {**made, "value": value}


def _cluster_queue(plan: QueuesPlan, queue: ClusterQueuePlan) -> dict[str, Any]:
    cohort = "cohortName" if plan.api_version == "v1beta2" else "cohort"
    preemption = queue.preemption
    return _object(
        plan,
        "ClusterQueue",
        {"name": queue.name},
        {
            "namespaceSelector": {},
            "queueingStrategy": "BestEffortFIFO",
            **({cohort: queue.cohort} if queue.cohort else {}),
            **(
                {
                    "preemption": {
                        "withinClusterQueue": preemption.within_queue,
                        **({"reclaimWithinCohort": preemption.reclaim} if queue.cohort else {}),
                    }
                }
                if preemption
                else {}
            ),
            "resourceGroups": [_group(plan, queue)],
            **_checks(plan, queue),
        },
    )


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
        {
            "nodeLabels": flavor.labels,
            **({"nodeTaints": _taints(flavor.taints)} if flavor.taints else {}),
            "tolerations": tolerations(flavor.tolerations),
            **({"topologyName": flavor.topology} if flavor.topology else {}),
        },
    )


def _taints(taints: dict[str, str]) -> list[dict[str, str]]:
    return [{"key": key, "value": value, "effect": "NoSchedule"} for key, value in taints.items()]


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
                # GKE refuses a request for pods of several templates, such as leaders and workers.
                "podSetMergePolicy": "IdenticalWorkloadSchedulingRequirements",
                "retryStrategy": {
                    "backoffLimitCount": nodes.retries,
                    "backoffBaseSeconds": nodes.first_wait_seconds,
                    "backoffMaxSeconds": nodes.longest_wait_seconds,
                },
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


def _checks(plan: QueuesPlan, queue: ClusterQueuePlan) -> dict[str, Any]:
    flavors = {quota.flavor for quota in queue.quotas}
    checks = [
        {"name": each.name, "onFlavors": [each.flavor]}
        for each in plan.provisioning
        if each.flavor in flavors
    ]
    return {"admissionChecksStrategy": {"admissionChecks": checks}} if checks else {}


def _group(plan: QueuesPlan, queue: ClusterQueuePlan) -> dict[str, Any]:
    """Every flavor has a quota of every resource, in the same order: Kueue insists on both."""
    return {
        "coveredResources": list(plan.resources),
        "flavors": [
            {"name": quota.flavor, "resources": [_amount(quota, resource) for resource in plan.resources]}
            for quota in queue.quotas
        ],
    }


def _amount(quota: QuotaPlan, resource: str) -> dict[str, str]:
    amount = {"name": resource, "nominalQuota": quota.amounts[resource]}
    if quota.borrow is not None:
        amount["borrowingLimit"] = quota.borrow[resource]
    if quota.lend is not None:
        amount["lendingLimit"] = quota.lend[resource]
    return amount
