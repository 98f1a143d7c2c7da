"""The facts that scripts read, as files."""

from collections.abc import Iterator

from clusterprint.nodes import file
from clusterprint.nodes.file import File
from clusterprint.plan.vm_nodes import (
    BucketMount,
    ContainerPlan,
    NodeSettings,
    RayPlan,
    ReceivePlan,
    SlurmPlan,
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
        yield file.facts("slurm", _slurm(settings.slurm))
    if settings.notebook_port:
        yield file.facts("notebook", (f"port={settings.notebook_port}",))
    if settings.end:
        yield file.facts("end", (f"bucket={settings.end.bucket}", f"object={settings.end.object}"))
    if settings.rdma:
        yield file.facts("rdma", (f"{key}={value}" for key, value in sorted(settings.rdma.items())))
    if settings.receive:
        yield file.facts("gpudirect", (f"kind={settings.gpudirect}", *_receive(settings.receive)))


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


def _slurm(slurm: SlurmPlan) -> Iterator[str]:
    yield f"controller={slurm.controller}"
    yield f"address={slurm.address}"
    yield f"accounting={'yes' if slurm.accounting else 'no'}"
    yield from (f"group={name}" for name in slurm.groups)
    if slurm.power:
        yield f"idle={slurm.idle_seconds}"
        yield from (
            f"power={each.group} {each.prefix} {each.static} {' '.join(each.zones)}" for each in slurm.power
        )
    # As `sacctmgr` shows them, with a hyphen for what is not limited; it takes a grace period in seconds.
    for qos in slurm.qos:
        grace = f"{_clock(qos.grace_seconds)} {qos.grace_seconds}"
        limits = f"{qos.max_jobs_per_user or '-'} {_clock(qos.max_seconds) if qos.max_seconds else '-'}"
        yield f"qos={qos.name} {qos.priority} {grace} {limits} {','.join(qos.preempts) or '-'}"
    for each in slurm.partitions:
        limit = f"{each.max_seconds // 60}:{each.max_seconds % 60:02}" if each.max_seconds else "UNLIMITED"
        fields = (
            f"PartitionName={each.name} Nodes={','.join(each.groups)}",
            f"Default={'YES' if each.default else 'NO'} MaxTime={limit} PriorityTier={each.priority}",
            *([f"DefMemPerCPU={each.memory_per_cpu_mib}"] if each.memory_per_cpu_mib else []),
            *(["OverSubscribe=EXCLUSIVE"] if each.exclusive else []),
            *([f"QOS={each.qos}"] if each.qos else []),
        )
        yield f"partition={' '.join(fields)} State=UP"


def _clock(seconds: int) -> str:
    days, rest = divmod(seconds, 86400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days}-{clock}" if days else clock


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
