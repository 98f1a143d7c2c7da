"""Checkpoints in the memory of nodes: which nodes, which bucket, and who may write to it."""

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.checkpoints import Checkpoints
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import checkpoints, volumes
from clusterprint.derived.run_names import checksummed
from clusterprint.errors import InternalError
from clusterprint.plan.gke.checkpoints import CheckpointFolderPlan, CheckpointsPlan
from clusterprint.plan.gke.cluster import BucketGrantPlan, GkeClusterPlan, IdentityPlan
from clusterprint.resolve.gke.pods import resolve_tolerations
from clusterprint.resolve.google import bucket_role

_DRIVER = "multitier-checkpoint.csi.storage.gke.io"


def resolve_checkpoints(blueprint: GkeBlueprint, cluster: GkeClusterPlan) -> CheckpointsPlan | None:
    """How they are kept; None without."""
    asked = checkpoints.asked(blueprint)
    if asked is None:
        return None
    nodes = checkpoints.label(blueprint)
    pools = [pool for pool in cluster.pools if nodes.items() <= pool.node.labels.items()]
    tolerations = tuple(dict.fromkeys(each for pool in pools for each in resolve_tolerations(pool)))
    bucket, memory = _bucket(asked, blueprint), f"{asked.memory_gb}Gi"
    # GKE's controller reads settings once: others have to come under another name.
    settings = [bucket, memory, nodes, [(each.key, each.value, each.effect) for each in tolerations]]
    return CheckpointsPlan(
        name=checksummed(blueprint.name, settings),
        volume=asked.volume,
        bucket=bucket,
        memory=memory,
        nodes=nodes,
        tolerations=tolerations,
    )


def resolve_copier(blueprint: KubernetesBlueprint) -> tuple[IdentityPlan, ...]:
    """Who copies them to the bucket, an account that GKE makes, with the right to."""
    asked = checkpoints.asked(blueprint)
    if asked is None:
        return ()
    grant = BucketGrantPlan(bucket=_bucket(asked, blueprint), role=bucket_role(read_only=False))
    return (
        IdentityPlan(
            key=f"{checkpoints.NAMESPACE}_{checkpoints.ACCOUNT}",
            namespace=checkpoints.NAMESPACE,
            name=checkpoints.ACCOUNT,
            service_account="",
            roles=(),
            buckets=(grant,),
            secrets=(),
            regional_secrets={},
        ),
    )


def resolve_folder(path: str) -> CheckpointFolderPlan:
    """The memory of its node in a pod, as a folder."""
    return CheckpointFolderPlan(driver=_DRIVER, path=path.rstrip("/"))


def _bucket(asked: Checkpoints, blueprint: KubernetesBlueprint) -> str:
    found = checkpoints.volume(asked, blueprint)
    if found is None:
        raise InternalError(f"volume {asked.volume} passed validation, but there is none")
    return volumes.bucket_name(blueprint.name, found)
