"""Resources for building images: registries, accounts, machines."""

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import ImageBuild
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import cluster_ranges, durations, kms_keys, names, state_names
from clusterprint.derived.builds import build_machine
from clusterprint.derived.state import state_root
from clusterprint.image.inputs import Inputs
from clusterprint.plan.builds import (
    BuilderPlan,
    BuildPoolPlan,
    BuildsPlan,
    ImagePlan,
    MirrorPlan,
    RegistryPlan,
)
from clusterprint.plan.google import ServiceAccountPlan
from clusterprint.resolve.network import PRIMARY

# Old images are worth their storage for as long as somebody may go back to one.
UNTAGGED_DAYS = 7
COPY_DAYS = 90
KEEP = 2

# What the virtual repository looks into first: an image of ours is never hidden by a public one.
_OWN_PRIORITY, _REMOTE_PRIORITY = 20, 10

# The forms of packages that a cluster may have repositories for.
_FORMS = ("docker", "python")
_UPSTREAM = {"docker": "DOCKER_HUB", "python": "PYPI"}
# A whole range for Cloud Build.
_BUILD_PREFIX = 24
# How much of the checksum of its inputs the tag of an image carries.
_CHECKSUM = 12
# The tag of the image whose layers the next build begins with.
_CACHE = "cache"


def resolve_registry(blueprint: RayBlueprint | GkeBlueprint, form: str, *, mirrors: bool) -> RegistryPlan:
    """The repository of a cluster for one form of packages, with copies of public ones if wanted."""
    name, scan = blueprint.name, blueprint.registry.scan
    mirror = MirrorPlan(
        remote=names.remote_registry(name, form),
        virtual=names.virtual_registry(name, form),
        upstream=_UPSTREAM[form],  # type: ignore[arg-type]
        days=COPY_DAYS,
        own_priority=_OWN_PRIORITY,
        remote_priority=_REMOTE_PRIORITY,
    )
    return RegistryPlan(
        form=form,  # type: ignore[arg-type]
        own=names.registry(name, form),
        untagged_days=UNTAGGED_DAYS,
        keep=KEEP,
        mirror=mirror if mirrors else None,
        # Only images are scanned.
        scanned=None if scan is UNSET or form != "docker" else scan,
        kms_key=kms_keys.of_all(blueprint),
    )


def resolve_registries(blueprint: RayBlueprint | GkeBlueprint) -> tuple[RegistryPlan, ...]:
    """The repositories that a blueprint asks for."""
    return tuple(
        resolve_registry(blueprint, form, mirrors=True)
        for form in _FORMS
        if getattr(blueprint.registry, form)
    )


def resolve_build_pool(blueprint: KubernetesBlueprint, build: ImageBuild) -> BuildPoolPlan:
    """The private pool of build machines in the cluster's network."""
    given = blueprint.network.existing
    # The range belongs to the network, which Google peers: in a shared VPC, to the host project.
    project = blueprint.project
    if given is not UNSET and given.project is not UNSET:
        project = given.project
    part = cluster_ranges.gpu_part(blueprint.network, cluster_ranges.BUILDS)
    return BuildPoolPlan(
        name=names.worker_pool(blueprint.name),
        machine_type=build_machine(build),
        disk_size_gb=build.disk_size_gb,
        network=PRIMARY if given is UNSET else "",
        existing_network="" if given is UNSET else f"projects/{project}/global/networks/{given.name}",
        network_project=project,
        range_name=names.worker_pool(blueprint.name),
        address=str(part.network_address),
        prefix_length=max(_BUILD_PREFIX, part.prefixlen),
    )


def resolve_builder(blueprint: KubernetesBlueprint) -> BuilderPlan:
    """The account that builds, and where its source is."""
    return BuilderPlan(
        account=ServiceAccountPlan(
            account_id=names.builder_account(blueprint.name),
            email="",
            display_name=f"Image builds of {blueprint.name}",
            roles=("roles/logging.logWriter",),
        ),
        bucket=blueprint.backend.gcs.bucket,
        source=state_names.image_source(state_root(blueprint)),
    )


def resolve_image_plan(  # noqa: PLR0913 - what tells images of different clusters apart
    blueprint: KubernetesBlueprint,
    build: ImageBuild,
    inputs: Inputs,
    *,
    image: str,
    version: str,
    lock: str,
    attested: bool,
) -> ImagePlan:
    """The build of an image; `version` is put before the checksum in its tag, where there is one."""
    name, project, region = blueprint.name, blueprint.project, blueprint.region
    return ImagePlan(
        project=project,
        region=region,
        image=image,
        tag="-".join(filter(None, [version, inputs.checksum[:_CHECKSUM]])),
        inputs=inputs.checksum,
        worker_pool=(
            f"projects/{project}/locations/{region}/workerPools/{names.worker_pool(name)}"
            if build.pool == "private"
            else ""
        ),
        machine_type=build_machine(build),
        disk_size_gb=build.disk_size_gb,
        sbom=build.sbom,
        cache=f"{image}:{_CACHE}" if build.cache else "",
        service_account=f"projects/{project}/serviceAccounts/{names.builder_email(name, project)}",
        staging=f"gs://{blueprint.backend.gcs.bucket}/{state_names.image_source(state_root(blueprint))}",
        timeout_seconds=durations.seconds(build.timeout),
        attested=attested,
        files=inputs.files,
        context=inputs.context,
        arguments=inputs.arguments,
        lock=lock,
    )


def services(builds: BuildsPlan) -> tuple[str, ...]:
    """The APIs that builds need."""
    scans = any(each.scanned for each in builds.registries)
    wanted = (
        *(("cloudbuild",) if builds.builder else ()),
        *(("servicenetworking",) if builds.pool else ()),
        *(("containeranalysis", "containerscanning") if scans else ()),
    )
    return tuple(f"{each}.googleapis.com" for each in wanted)
