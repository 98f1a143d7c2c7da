"""The policy for images that the cluster runs."""

from pathlib import Path

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.image import lock
from clusterprint.plan.ray.cluster import AdmissionPlan, RayClusterPlan
from clusterprint.plan.ray.ray import RayPlan
from clusterprint.resolve.ray.image import resolve_image


def resolve_admission(
    blueprint: RayBlueprint, cluster: RayClusterPlan, ray: RayPlan, folder: Path
) -> RayClusterPlan:
    """The cluster with its image policy. Enabled after the first build, which creates the attestor."""
    wanted = blueprint.binary_authorization
    if wanted is UNSET or not _is_built(blueprint, folder):
        return cluster
    admission = AdmissionPlan(
        cluster=f"{cluster.reached.location}.{cluster.reached.name}",
        enforce=wanted.mode == "enforce",
        attestor=f"projects/{blueprint.project}/attestors/built-by-cloud-build",
        exempt=_not_ours(ray),
    )
    return msgspec.structs.replace(cluster, admission=admission)


def _is_built(blueprint: RayBlueprint, folder: Path) -> bool:
    if blueprint.image_build is UNSET:
        return False
    return lock.read(folder / resolve_image(blueprint, folder).lock) is not None


def _not_ours(ray: RayPlan) -> tuple[str, ...]:
    """Images that the cluster cannot do without, and that others build: without tags, as patterns."""
    images = [each.image for each in ray.plugins]
    images += [each.prepare.image for each in ray.plugins if each.prepare]
    images += [each.pause_image for each in ray.plugins]
    fabrics = [group.pod.fabric for group in ray.spec.groups if group.pod.fabric]
    images += [each.daemon.image for each in fabrics if each.daemon]
    images += [each.image for each in ray.device_injectors]
    images += [ray.proxy.image] if ray.proxy else []
    images += [ray.operator_image] if ray.operator_image else []
    return tuple(sorted({_pattern(image) for image in images if image}))


def _pattern(image: str) -> str:
    """All versions of an image."""
    path, _, name = image.partition("@")[0].rpartition("/")
    repository = f"{path}/{name.partition(':')[0]}" if path else f"docker.io/library/{name.partition(':')[0]}"
    return f"{repository}*"
