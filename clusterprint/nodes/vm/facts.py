"""The facts that scripts read, as files."""

from collections.abc import Iterator

from clusterprint.nodes import file
from clusterprint.nodes.file import File
from clusterprint.nodes.slurm_facts import slurm_facts
from clusterprint.plan.vm_nodes import (
    BucketMount,
    ContainerPlan,
    NodeSettings,
    RayPlan,
    ReceivePlan,
    VolumeMount,
)


def facts(settings: NodeSettings) -> Iterator[File]:
    """The files of facts for a machine."""
    yield file.settings(_settings(settings))
    if settings.mounts:
        yield file.facts("buckets", map(_mount, settings.mounts))
    if settings.volumes:
        yield file.facts("volumes", map(_volume, settings.volumes))
    if settings.container:
        yield file.facts("container", _container(settings.container))
    if settings.ray:
        yield file.facts("ray", _ray(settings.ray))
    if settings.slurm:
        yield file.facts("slurm", slurm_facts(settings.slurm))
    if settings.notebook_port:
        yield file.facts("notebook", (f"port={settings.notebook_port}",))
    yield from _ends(settings)
    if settings.rdma:
        yield file.facts("rdma", (f"{key}={value}" for key, value in sorted(settings.rdma.items())))
    if settings.receive:
        yield file.facts("gpudirect", (f"kind={settings.gpudirect}", *_receive(settings.receive)))


def _ends(settings: NodeSettings) -> Iterator[File]:
    if settings.end:
        yield file.facts("end", (f"bucket={settings.end.bucket}", f"object={settings.end.object}"))
    if settings.idle:
        action = "stop" if settings.idle.stops else "report"
        yield file.facts("idle", (f"after={settings.idle.seconds}", f"action={action}"))


def _container(container: ContainerPlan) -> Iterator[str]:
    """Keys that are there several times keep their order."""
    yield f"image={container.image}"
    yield f"restart={container.restart}"
    yield f"gpus={'yes' if container.gpus else 'no'}"
    yield from (f"port={port}" for port in container.ports)
    yield from (f"env={key}={value}" for key, value in sorted(container.env.items()))
    yield from (f"argument={argument}" for argument in container.args)


def _ray(ray: RayPlan) -> Iterator[str]:
    yield f"image={ray.image}"
    yield f"bucket={ray.bucket}"
    yield f"object={ray.object}"
    yield f"leads={'yes' if ray.leads else 'no'}"
    yield f"autostop={ray.autostop_seconds}"


def _receive(receive: ReceivePlan) -> Iterator[str]:
    """Keys that are there several times keep their order; what is empty is left out."""
    yield f"plugin={receive.plugin}"
    yield f"daemon={receive.daemon}"
    if receive.entrypoint:
        yield f"entrypoint={receive.entrypoint}"
    yield from (f"argument={argument}" for argument in receive.arguments)
    yield from (f"capability={capability}" for capability in receive.capabilities)
    yield from (f"env={key}={value}" for key, value in sorted(receive.environment.items()))
    if receive.profile:
        yield f"profile={receive.profile}"


def _mount(mount: BucketMount) -> str:
    """Nothing to ask for is said as well, but at the end of the line: an empty field would vanish."""
    mode = "ro" if mount.read_only else "rw"
    options = (",".join(mount.options),) if mount.options else ()
    return "\t".join((mount.bucket, mount.mount, mode, mount.profile or "-", *options))


def _volume(volume: VolumeMount) -> str:
    mode = "ro" if volume.read_only else "rw"
    return "\t".join((volume.name, volume.kind, volume.mount, mode, "new" if volume.fresh else "theirs"))


def _settings(settings: NodeSettings) -> dict[str, str]:
    """Every key is there on every machine, so that a script never has to guess."""
    return {
        "cluster": settings.cluster,
        "group": settings.group,
        "system": settings.system,
        # Nobody in particular: people log in with their own accounts.
        "admin_user": "",
        "gpu_vendor": "nvidia" if settings.gpus else "none",
        "gpus_per_node": str(settings.gpus),
        "local_ssds": str(settings.local_ssds),
        # What Google calls its local SSDs; persistent disks are "nvme_card-pd".
        "local_disk_model": "^nvme_card[0-9]*$",
        "scratch": settings.scratch,
        "files_bucket": settings.files_bucket,
        "files_manifest": settings.files_manifest,
        "driver": settings.driver,
        "ssh": "yes" if settings.ssh else "no",
        "interfaces": str(settings.health.interfaces if settings.health else 0),
        "rdma_interfaces": str(settings.health.rdma_interfaces if settings.health else 0),
    }
