"""The observed state of the cluster."""

from msgspec import Struct

from clusterprint_provisioner.objects import Job, JobSet, Node, Pod
from clusterprint_provisioner.sets import LeaderWorkerSet, RayCluster


class Cluster(Struct, frozen=True):
    """The objects of a cluster at one moment."""

    pods: tuple[Pod, ...] = ()
    jobs: tuple[Job, ...] = ()
    jobsets: tuple[JobSet, ...] = ()
    leader_worker_sets: tuple[LeaderWorkerSet, ...] = ()
    ray_clusters: tuple[RayCluster, ...] = ()
    nodes: tuple[Node, ...] = ()
