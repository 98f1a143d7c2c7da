"""The stack `<name>-cluster` of a Ray cluster: what the blueprint asks for, and what Ray needs besides."""

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import names
from clusterprint.derived.builds import private_build
from clusterprint.plan.builds import BuildsPlan
from clusterprint.plan.ray.cluster import RayClusterPlan
from clusterprint.resolve.gke.builds import (
    resolve_build_pool,
    resolve_builder,
    resolve_registries,
    services,
)
from clusterprint.resolve.gke.cluster import resolve_cluster
from clusterprint.resolve.gke.needs import Needs


def with_ray(blueprint: RayBlueprint) -> RayBlueprint:
    """The blueprint with everything switched on that Ray needs of its cluster."""
    cluster = blueprint.cluster
    return msgspec.structs.replace(
        blueprint,
        cluster=msgspec.structs.replace(
            cluster,
            binary_authorization=cluster.binary_authorization or blueprint.binary_authorization is not UNSET,
        ),
        workload_identity=(*blueprint.workload_identity, _ray_identity(blueprint)),
    )


def _ray_identity(blueprint: RayBlueprint) -> WorkloadIdentity:
    """Ray's pods read the secrets that the blueprint names; rights to buckets follow from volumes."""
    return WorkloadIdentity(
        name=names.RAY_ACCOUNT,
        namespace=blueprint.ray.namespace,
        secrets=tuple(each.name for each in blueprint.secrets),
    )


def resolve_ray_cluster(blueprint: RayBlueprint) -> RayClusterPlan:
    """Make the plan of the cluster; the blueprint is one that `with_ray` made."""
    builds = _builds(blueprint)
    needs = Needs(
        ray_operator=blueprint.ray.operator == "addon",
        services=_services(blueprint, builds),
        builds=builds,
        gateway=blueprint.ray.gateway is not UNSET,
    )
    gke = resolve_cluster(blueprint, needs)
    return RayClusterPlan(
        **msgspec.structs.asdict(gke),
        admission=None,
    )


def _services(blueprint: RayBlueprint, builds: BuildsPlan) -> tuple[str, ...]:
    attests = blueprint.binary_authorization is not UNSET
    return (*services(builds), *(("containeranalysis.googleapis.com",) if attests else ()))


def _builds(blueprint: RayBlueprint) -> BuildsPlan:
    registries = resolve_registries(blueprint)
    if blueprint.image_build is UNSET:
        return BuildsPlan(registries=registries)
    private = private_build(blueprint)
    return BuildsPlan(
        registries=registries,
        pool=resolve_build_pool(blueprint, private) if private else None,
        builder=resolve_builder(blueprint),
    )
