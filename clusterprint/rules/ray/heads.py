import math

from clusterprint import catalog
from clusterprint.blueprint.gke.pools import SystemPool
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Head
from clusterprint.derived import existing, node_capacity, node_pools, volume_mounts
from clusterprint.rules.gke._mounts import volume_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, known, rule


@rule("RAY008", severity=Severity.ERROR)
def head_larger_than_node(head: Head, context: Context[RayBlueprint]) -> Iterator[Finding]:
    if existing.is_existing(context.blueprint):
        return
    pool = context.blueprint.system_pool
    machine = catalog.machine(pool.machine_type)
    if machine is None:
        return
    room = node_capacity.room(machine)
    for field, unit in (("cpus", "cores"), ("memory_gb", "GiB of memory")):
        wanted, most = getattr(head, field), getattr(room, field)
        if wanted > most:
            yield Finding(
                f"the head asks for {wanted} {unit}, "
                f"but nodes of type {pool.machine_type} have {most} for pods",
                context.at(head, field),
                also=(context.at(pool, "machine_type", text="the system pool"),),
                help=f"ask for at most {most}, or choose a larger machine_type in system_pool",
            )


# What runs in the pod of each head besides: KubeRay's autoscaler, and the file system of buckets.
_AUTOSCALER_CPUS, _AUTOSCALER_GB = 0.5, 0.5
_BUCKETS_CPUS, _BUCKETS_GB = 0.25, 0.25


@rule("RAY072", severity=Severity.WARNING)
def heads_larger_than_system_pool(head: Head, context: Context[RayBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    if existing.is_existing(blueprint):
        return
    pool, ray = blueprint.system_pool, blueprint.ray
    machine = catalog.machine(pool.machine_type)
    if machine is None:
        return
    mounts = any(volume_mounts.mounted(head.mounts, blueprint, "bucket"))
    cpus = head.cpus + _AUTOSCALER_CPUS + (_BUCKETS_CPUS if mounts else 0)
    memory = head.memory_gb + _AUTOSCALER_GB + (_BUCKETS_GB if mounts else 0)
    fitting = min(
        math.floor(node_capacity.free_cpus(machine.vcpus) / cpus),
        math.floor(node_capacity.free_memory_gb(machine.memory_gb) / memory),
    )
    also = context.at(pool.autoscaling, "max", text="the maximum of the system pool")
    room = node_capacity.room(machine)
    if not fitting and head.cpus <= room.cpus and head.memory_gb <= room.memory_gb:
        yield Finding(
            f"with the autoscaler beside it the head asks for {cpus:g} cores and {memory:g} GiB, more than "
            "nodes of the system pool have for pods",
            context.at(head, "cpus"),
            also=(context.at(pool, "machine_type", text="the system pool"),),
            help="choose a larger machine_type in system_pool, or a smaller head",
        )
    own = sum(each.cluster == "own" for each in ray.jobs)
    heads = 1 + own + len(ray.services) + bool(ray.services)
    most = fitting * (node_pools.max_system_nodes(pool) - 1)  # the one of upgrades is not there for long
    if fitting and heads > most:
        yield Finding(
            f"{counted(heads, 'head')} of Ray clusters may run at the same time, but the system pool has "
            f"room for {most}: {fitting} on each {pool.machine_type}",
            context.at(head, "cpus"),
            also=(also,),
            help=f"write system_pool: {{autoscaling: {{{_autoscaling(pool, math.ceil(heads / fitting))}}}}}",
        )


def _autoscaling(pool: SystemPool, nodes: int) -> str:
    """Bounds for so many nodes at most in all zones, with what else was written about them."""
    said = pool.autoscaling
    zones = len(pool.zones or [""]) if said.per_zone else 1
    words = [f"min: {said.min}, max: {math.ceil(nodes / zones)}"]
    if said.per_zone:
        words.append("per_zone: true")
    if given(said.location_policy):
        words.append(f"location_policy: {said.location_policy}")
    return ", ".join(words)


@rule("RAY081", severity=Severity.ERROR, firm=True)
def disk_in_head(head: Head, context: Context[RayBlueprint]) -> Iterator[Finding]:
    for mount, volume in known(head.mounts, lambda each: volume_of(each, context)):
        if volume is not None and volume.kind == "disk":
            yield Finding(
                f"volume {volume.name} is a disk, which the head cannot mount",
                context.at(mount, "volume"),
                also=(context.at(volume, "kind", text="this volume"),),
                help="mount it in ray.workers",
            )
