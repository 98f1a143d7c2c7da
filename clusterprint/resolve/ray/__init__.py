"""Decisions about `kind: ray`: a GKE cluster with what Ray needs, and Ray in it.

What Ray needs (add-ons, permissions of its pods) is added to the blueprint as if the user had written it;
then the cluster's own resolver gets it. Only proxies and an image policy are added here; image builds belong
to any cluster (`resolve/gke/builds.py`).
"""

from pathlib import Path

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.plan.part import StackPlan
from clusterprint.resolve.gke.existing import adds_something
from clusterprint.resolve.gke.init_scripts import with_init_scripts
from clusterprint.resolve.ray.admission import resolve_admission
from clusterprint.resolve.ray.cluster import resolve_ray_cluster, with_ray
from clusterprint.resolve.ray.ray import resolve_ray


def resolve(blueprint: RayBlueprint, folder: Path) -> tuple[StackPlan, ...]:
    """Make the plans of the cluster and of Ray."""
    complete = with_ray(blueprint)
    cluster = with_init_scripts(resolve_ray_cluster(complete), complete, folder)
    ray = resolve_ray(complete, cluster, folder)
    if not adds_something(cluster):
        return (ray,)
    return resolve_admission(complete, cluster, ray, folder), ray
