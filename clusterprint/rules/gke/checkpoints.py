from pathlib import PurePosixPath

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.checkpoints import Checkpoints
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.gke.pod_groups import JobSet
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import checkpoints as derived
from clusterprint.derived import node_capacity, node_pools, volume_mounts, volumes
from clusterprint.rules import _folders
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import (
    Context,
    Finding,
    Iterator,
    Severity,
    did_you_mean,
    given,
    known,
    listed,
    nearest,
    rule,
)


@rule("GKE390", severity=Severity.ERROR, firm=True)
def checkpoints_without_volume(checkpoints: Checkpoints, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    volumes = context.blueprint.storage.volumes
    kinds = {name: kind for _, (name, kind) in known(volumes, lambda each: (each.name, each.kind))}
    buckets = [name for name, kind in kinds.items() if kind == "bucket"]
    name = checkpoints.volume
    if name in buckets or name not in kinds:
        return  # it is one, or its name or kind cannot be read
    meant = nearest(name, buckets)
    others = f"the buckets are {listed(buckets, 'and')}" if buckets else "add one to storage.volumes"
    yield Finding(
        f"volume {name} is of kind {kinds[name]}, not a bucket",
        context.at(checkpoints, "volume"),
        help=did_you_mean(meant) or others,
        instead=meant,
    )


@rule("GKE391", severity=Severity.ERROR, firm=True)
def checkpoints_in_flat_bucket(checkpoints: Checkpoints, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    named = known(context.blueprint.storage.volumes, lambda each: (each.name, each.kind))
    volume = next((each for each, found in named if found == (checkpoints.volume, "bucket")), None)
    if volume is not None:
        yield from _lacking(volume, checkpoints, context)


def _lacking(volume: GoogleVolume, checkpoints: Checkpoints, context: Context) -> Iterator[Finding]:
    asked = context.at(checkpoints, "volume", text="checkpoints are copied there")
    if volume.access == "read_only":
        yield Finding(
            f"volume {volume.name} is read-only, so no checkpoints can be copied there",
            context.at(volume, "access"),
            also=(asked,),
            help="name another volume, or remove `access: read_only`",
        )
    elif volume.create and not volumes.has_folders(volume):
        yield Finding(
            f"volume {volume.name} has no hierarchical namespace, without which copies of checkpoints fail",
            context.at(volume, "name"),
            also=(asked,),
            help="write `hierarchical_namespace: true` for the volume",
        )


@rule("GKE392", severity=Severity.ERROR, firm=True)
def checkpoint_pool_missing(checkpoints: Checkpoints, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    pools = context.blueprint.node_pools
    names = [name for _, name in known(pools, lambda each: each.name)]
    if len(names) < len(pools):
        return  # one of them has a name that cannot be read
    seen = list(known(pools, lambda each: derived.keeps(checkpoints, each)))
    if not checkpoints.node_pools and len(seen) == len(pools) and not any(keeps for _, keeps in seen):
        yield Finding(
            "no nodes keep checkpoints: no pool has GPUs or TPUs, and none is named",
            context.at_key(context.blueprint.workloads, "checkpoints"),
            help="name pools in checkpoints.node_pools" if names else "add a pool to node_pools",
        )


@rule("GKE394", severity=Severity.ERROR)
def checkpoints_larger_than_node(
    checkpoints: Checkpoints, context: Context[GkeBlueprint]
) -> Iterator[Finding]:
    for pool, memory in known(context.blueprint.node_pools, _free_memory):
        if memory and checkpoints.memory_gb >= memory and derived.keeps(checkpoints, pool):
            yield Finding(
                f"checkpoints take {checkpoints.memory_gb} GiB of each node, but one of pool {pool.name} has "
                f"about {int(memory)} for pods",
                context.at(checkpoints, "memory_gb"),
                also=(machine_label(pool, context),),
                help=f"write less than {int(memory)}, and leave some for the job",
            )


def _free_memory(pool: NodePool) -> float:
    """The memory of a node for pods; 0 if the catalog does not know it."""
    machine, tpu = node_pools.machine(pool), node_pools.tpu(pool)
    total = machine.memory_gb if machine else (tpu[1].memory_gb or 0 if tpu else 0)
    return node_capacity.free_memory_gb(total) if total else 0


@rule("GKE397", severity=Severity.ERROR, firm=True)
def checkpoint_folder_in_use(job: JobSet, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    if not given(job.checkpoints):
        return
    path = PurePosixPath(job.checkpoints)
    help_text = "save them in a folder of their own, for example /checkpoints"
    if _folders.mount_hides_system(job.checkpoints):
        yield Finding(
            f"checkpoints are saved in {path}, which containers need",
            context.at(job, "checkpoints"),
            help=help_text,
        )
    for mount, other in known(job.mounts, lambda each: _path(each, context)):
        if other and (path.is_relative_to(other) or other.is_relative_to(path)):
            where = "there" if path == other else f"on {other}"
            yield Finding(
                f"checkpoints are saved in {path}, but volume {mount.volume} is mounted {where}",
                context.at(job, "checkpoints"),
                also=(context.at(mount, "path" if given(mount.path) else "volume", text="the volume"),),
                help=help_text,
            )


def _path(mount: VolumeMount, context: Context[GkeBlueprint]) -> PurePosixPath | None:
    volume = volume_of(mount, context)
    path = None if volume is None else volume_mounts.path(mount, volume)
    return PurePosixPath(path or "/") if isinstance(path, str) else None
