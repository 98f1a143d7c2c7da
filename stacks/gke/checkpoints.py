"""Checkpoints in the memory of nodes, as an object of GKE."""

from typing import Any

from constructs import Construct

from clusterprint.plan.gke.checkpoints import CheckpointFolderPlan, CheckpointsPlan
from stacks.kubernetes.claims import Reachable
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.pod import Container, Mount, PodSpec, Volume
from stacks.kubernetes.tolerations import tolerations

# What pods call it; volumes of the blueprint are called otherwise.
_VOLUME = "checkpoints"


class Checkpoints(Construct):
    """The labels by which GKE's controller selects nodes for its driver.

    The name of a `bucket` that the cluster's stack has made is known there.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        bucket: Reachable | None,
        plan: CheckpointsPlan,
    ) -> None:
        super().__init__(scope, id)
        self.resource = Objects(
            self,
            "configuration",
            name="checkpoints",
            namespace="kube-system",
            objects={"configuration": _configuration(plan, bucket.handle if bucket else plan.bucket)},
        ).resource


def save_checkpoints(spec: PodSpec, container: Container, plan: CheckpointFolderPlan) -> None:
    """Show a container the memory of its node."""
    spec["volumes"].append(Volume(name=_VOLUME, csi={"driver": plan.driver}))
    container["volumeMounts"].append(Mount(name=_VOLUME, mountPath=plan.path))


def _configuration(plan: CheckpointsPlan, bucket: str) -> dict[str, Any]:
    return {
        "apiVersion": "checkpointing.gke.io/v1",
        "kind": "CheckpointConfiguration",
        "metadata": {"name": plan.name},
        "spec": {
            "cloudStorageBucketName": bucket,
            "inMemoryVolumeSize": plan.memory,
            "nodeSelector": plan.nodes,
            "tolerations": tolerations(plan.tolerations),
        },
    }
