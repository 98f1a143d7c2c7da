"""Decisions about images that are built for the nodes of kind vm."""

from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_image import NodeImageBuild
from clusterprint.blueprint.vm_nodes import ShieldedVm, VmNodes
from clusterprint.derived import durations, image_builds, kms_keys, names, network_names
from clusterprint.image.node_image import checksum, image_settings
from clusterprint.nodes import deploy
from clusterprint.nodes.vm import image_metadata
from clusterprint.plan.vm_image import NodeImagePlan
from clusterprint.resolve import google, network


def resolve_image(blueprint: VmBlueprint, group: VmNodes, folder: Path) -> NodeImagePlan | None:
    """The image of a group; None if it boots from one that is there."""
    build = group.image_build
    if build is UNSET:
        return None
    wanted = image_settings(blueprint, group, build, folder)
    family = image_builds.family(blueprint, group, build)
    name = names.image(family, checksum(group, build, wanted, kms_keys.of_all(blueprint)))
    files = {f"{name}.{key}": text for key, text in image_metadata(wanted).items()}
    return NodeImagePlan(
        name=name,
        family=family,
        project=blueprint.project,
        script=deploy.BUILD_IMAGE,
        environment=_environment(blueprint, group, build, name, tuple(files)),
        files=files,
        network=network.PRIMARY if blueprint.network.existing is UNSET else "",
        missing=f"The image {name} was built, and is not in project {blueprint.project} any more: build it "
        "again with `clusterprint image BLUEPRINT --submit`, or go back to an edition whose image is there.",
        users=build.share_with,
        users_role="roles/compute.imageUser",
    )


def resolve_images(blueprint: VmBlueprint, groups: tuple[VmNodes, ...], folder: Path) -> list[NodeImagePlan]:
    """All images of a cluster; groups that say the same may share one."""
    found = (resolve_image(blueprint, each, folder) for each in groups)
    return list({each.name: each for each in found if each}.values())


def image_path(plan: NodeImagePlan) -> str:
    """An image as nodes name it."""
    return f"projects/{plan.project}/global/images/{plan.name}"


def _environment(
    blueprint: VmBlueprint, group: VmNodes, build: NodeImageBuild, name: str, files: tuple[str, ...]
) -> dict[str, str]:
    base = image_builds.base(group)
    machine_type = image_builds.machine_type(group, build)
    key = (f"kms-key={kms_keys.of_all(blueprint)}",) if kms_keys.of_all(blueprint) else ()
    stored = () if build.storage_location is UNSET else (f"--storage-location={build.storage_location}",)
    return {
        "PROJECT": blueprint.project,
        "ZONE": image_builds.zone(blueprint, group, build),
        "IMAGE": name,
        "FAMILY": image_builds.family(blueprint, group, build),
        "CLUSTER": blueprint.name,
        "BUILDER": names.image_builder(name),
        "MACHINE_TYPE": machine_type,
        "INTERFACE": _interface(blueprint, group),
        "BASE_PROJECT": base.project,
        "BASE": f"image-family={base.family}" if base.family else f"image={base.name}",
        "DISK_SIZE_GB": str(image_builds.disk_size_gb(group, build)),
        "DISK_TYPE": google.machine_of(machine_type).boot_disk_types[0],
        "MACHINE_OPTIONS": " ".join(
            (*_machine_options(group, build, machine_type), *(f"--boot-disk-{each}" for each in key))
        ),
        "IMAGE_OPTIONS": " ".join((*stored, *(f"--{each}" for each in key))),
        "FILES": ",".join(f"{each.removeprefix(f'{name}.')}={each}" for each in files),
        "SECONDS_TO_WAIT": str(durations.seconds(build.timeout)),
    }


def _interface(blueprint: VmBlueprint, group: VmNodes) -> str:
    """In the nodes' own subnet, with their NAT."""
    existing = blueprint.network.existing
    project, subnet = blueprint.project, network_names.subnet(blueprint.name)
    if existing is not UNSET:
        project = project if existing.project is UNSET else existing.project
        subnet = existing.subnetwork
    path = f"projects/{project}/regions/{blueprint.region}/subnetworks/{subnet}"
    address = () if group.public_ip else ("no-address",)
    return ",".join((f"subnet={path}", "nic-type=GVNIC", *address))


def _machine_options(group: VmNodes, build: NodeImageBuild, machine_type: str) -> tuple[str, ...]:
    """Who the machine is, and how it boots: as the nodes will, so that what does not there fails here."""
    nobody = ("--no-service-account", "--no-scopes")
    machine = google.machine_of(machine_type)
    return (
        *(
            nobody
            if build.service_account is UNSET
            else (f"--service-account={build.service_account}", "--scopes=cloud-platform")
        ),
        *_shielded(group.shielded_vm),
        "--no-restart-on-failure",
        *(() if machine.live_migration else ("--maintenance-policy=TERMINATE",)),
    )


def _shielded(shielded: ShieldedVm) -> tuple[str, ...]:
    chosen = {
        "shielded-secure-boot": shielded.secure_boot,
        "shielded-vtpm": shielded.vtpm,
        "shielded-integrity-monitoring": shielded.integrity_monitoring,
    }
    return tuple(f"--{name}" if on else f"--no-{name}" for name, on in chosen.items())
