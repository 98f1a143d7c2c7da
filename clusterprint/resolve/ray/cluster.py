"""The stack `<name>-cluster` of a Ray cluster: what the blueprint asks for, and what Ray needs besides."""

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.identity import BucketAccess, WorkloadIdentity
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import cluster_ranges, names
from clusterprint.derived.state import state_root
from clusterprint.plan.google import ServiceAccountPlan
from clusterprint.plan.ray.cluster import (
    BuilderPlan,
    BuildPoolPlan,
    RayClusterPlan,
    RegistryPlan,
)
from clusterprint.resolve.gke.cluster import resolve_cluster
from clusterprint.resolve.gke.needs import Needs
from clusterprint.resolve.network import PRIMARY

# Old images are worth their storage for as long as somebody may go back to one.
UNTAGGED_DAYS = 7
COPY_DAYS = 90
KEEP = 2

# What the virtual repository looks into first: an image of ours is never hidden by a public one.
_OWN_PRIORITY, _REMOTE_PRIORITY = 20, 10

_UPSTREAM = {"docker": "DOCKER_HUB", "python": "PYPI"}
# A whole range for Cloud Build.
_BUILD_PREFIX = 24


def with_ray(blueprint: RayBlueprint) -> RayBlueprint:
    """The blueprint with everything switched on that Ray needs of its cluster."""
    cluster = blueprint.cluster
    addons = msgspec.structs.replace(
        cluster.addons,
        gcs_fuse=cluster.addons.gcs_fuse
        or any(each.mount is not UNSET for each in blueprint.storage.buckets),
    )
    return msgspec.structs.replace(
        blueprint,
        cluster=msgspec.structs.replace(
            cluster,
            addons=addons,
            binary_authorization=cluster.binary_authorization or blueprint.binary_authorization is not UNSET,
        ),
        workload_identity=(*blueprint.workload_identity, _ray_identity(blueprint)),
    )


def _ray_identity(blueprint: RayBlueprint) -> WorkloadIdentity:
    """Ray's pods read the secrets and use the buckets that the blueprint names."""
    return WorkloadIdentity(
        name=names.RAY_ACCOUNT,
        namespace=blueprint.ray.namespace,
        buckets=tuple(BucketAccess(name=each.name, access=each.access) for each in blueprint.storage.buckets),
        secrets=blueprint.secrets,
    )


def resolve_ray_cluster(blueprint: RayBlueprint) -> RayClusterPlan:
    """Make the plan of the cluster; the blueprint is one that `with_ray` made."""
    needs = Needs(
        ray_operator=blueprint.ray.operator == "addon",
        services=_services(blueprint),
        fuse=any(each.mount is not UNSET for each in blueprint.storage.buckets),
    )
    gke = resolve_cluster(blueprint, needs)
    builds = blueprint.image_build is not UNSET
    return RayClusterPlan(
        **msgspec.structs.asdict(gke),
        registries=_registries(blueprint),
        build_pool=_build_pool(blueprint),
        builder=_builder(blueprint) if builds else None,
        admission=None,
    )


def _services(blueprint: RayBlueprint) -> tuple[str, ...]:
    wanted = []
    if blueprint.image_build is not UNSET:
        wanted += ["cloudbuild", "servicenetworking"]
    if blueprint.binary_authorization is not UNSET:
        wanted += ["containeranalysis"]
    return tuple(f"{each}.googleapis.com" for each in wanted)


def _registries(blueprint: RayBlueprint) -> tuple[RegistryPlan, ...]:
    name = blueprint.name
    return tuple(
        RegistryPlan(
            form=form,  # type: ignore[arg-type]
            own=names.registry(name, form),
            remote=names.remote_registry(name, form),
            virtual=names.virtual_registry(name, form),
            upstream=_UPSTREAM[form],  # type: ignore[arg-type]
            untagged_days=UNTAGGED_DAYS,
            copy_days=COPY_DAYS,
            keep=KEEP,
            own_priority=_OWN_PRIORITY,
            remote_priority=_REMOTE_PRIORITY,
        )
        for form in _UPSTREAM
        if getattr(blueprint.registry, form)
    )


def _build_pool(blueprint: RayBlueprint) -> BuildPoolPlan | None:
    build, given = blueprint.image_build, blueprint.network.existing
    if build is UNSET:
        return None
    # The range belongs to the network, which Google peers: in a shared VPC, to the host project.
    project = blueprint.project
    if given is not UNSET and given.project is not UNSET:
        project = given.project
    return BuildPoolPlan(
        name=names.worker_pool(blueprint.name),
        machine_type=build.machine_type,
        disk_size_gb=build.disk_size_gb,
        network=PRIMARY if given is UNSET else "",
        existing_network="" if given is UNSET else f"projects/{project}/global/networks/{given.name}",
        network_project=project,
        range_name=names.worker_pool(blueprint.name),
        address=str(cluster_ranges.gpu_part(blueprint.network, cluster_ranges.BUILDS).network_address),
        prefix_length=max(
            _BUILD_PREFIX, cluster_ranges.gpu_part(blueprint.network, cluster_ranges.BUILDS).prefixlen
        ),
    )


def _builder(blueprint: RayBlueprint) -> BuilderPlan:
    return BuilderPlan(
        account=ServiceAccountPlan(
            account_id=names.builder_account(blueprint.name),
            email="",
            display_name=f"Image builds of {blueprint.name}",
            roles=("roles/logging.logWriter",),
        ),
        bucket=blueprint.backend.gcs.bucket,
        source=names.image_source(state_root(blueprint)),
    )
