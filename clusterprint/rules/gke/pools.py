from clusterprint import catalog, did_you_mean
from clusterprint.blueprint.gke.existing import ExistingCluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool, SystemPool
from clusterprint.derived import names, node_pools, volumes
from clusterprint.diagnostic import Label
from clusterprint.rules.gke._mounts import again
from clusterprint.rules.gke._pools import machine_label, zones_label
from clusterprint.rules.gke._volume_zones import mounted_in, together
from clusterprint.rules.google._confidential import confidential_elsewhere
from clusterprint.rules.google._hyperdisks import unconfirmed
from clusterprint.rules.google._places import is_known
from clusterprint.rules.kit import (
    UNSET,
    Context,
    Finding,
    Iterator,
    Severity,
    counted,
    given,
    known,
    listed,
    rule,
)


@rule("GKE047", severity=Severity.ERROR, firm=True)
def pool_name_taken(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    taken = dict(_taken(blueprint, context))
    for pool, name in known(blueprint.node_pools, lambda each: each.name):
        if name in taken:
            what, also = taken[name]
            yield Finding(
                f"a node pool cannot be called {name}: {what} is",
                context.at(pool, "name"),
                also=also,
                help="give it another name",
            )


def _taken(
    blueprint: KubernetesBlueprint, context: Context
) -> Iterator[tuple[str, tuple[str, tuple[Label, ...]]]]:
    yield node_pools.SYSTEM_POOL, ("the system pool", ())
    slices = known(blueprint.node_pools, lambda each: (each.name, node_pools.slices(each)))
    for pool, (name, number) in slices:
        if number > 1:
            also = (context.at(pool, "tpu", "slices", text=f"{number} pools"),)
            for index in range(number):
                yield names.slice_pool(name, index), (f"a slice of pool {name}", also)


@rule("GKE042", severity=Severity.WARNING)
def taint_put_by_itself(pool: NodePool, context: Context) -> Iterator[Finding]:
    automatic = {
        "nvidia.com/gpu": node_pools.has_gpus(pool),
        "google.com/tpu": node_pools.tpu(pool) is not None,
    }
    for taint, key in known(pool.taints, lambda each: each.key):
        if automatic.get(key):
            yield Finding(
                f"the taint {key} is added to pool {pool.name} automatically",
                context.at(taint, "key"),
                also=(machine_label(pool, context),),
                help="remove it",
            )


@rule("GKE003", severity=Severity.ERROR, firm=True)
def count_not_spread_over_zones(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    zones = node_pools.zones(context.blueprint, pool)
    spares, nodes = node_pools.spares(pool), node_pools.fixed_nodes(pool)
    if not given(pool.count) or given(pool.autoscaling) or nodes % len(zones) == 0:
        return
    less = nodes // len(zones) * len(zones) - spares
    either = f"{less} or {less + len(zones)}" if less > 0 else str(less + len(zones))
    with_spares = f" ({spares} of them spare)" if spares else ""
    yield Finding(
        f"{counted(nodes, 'node')}{with_spares} cannot be spread evenly over {len(zones)} zones",
        context.at(pool, "count"),
        also=(zones_label(pool, context, "the zones"),),
        help=f"write count: {either}, or use autoscaling",
    )


@rule("GKE017", severity=Severity.WARNING)
def default_zone_not_known_for_machine(
    pool: NodePool, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    if pool.zones or context.blueprint.zone is not UNSET:
        return
    seen = catalog.zones_of(pool.machine_type)
    zone = node_pools.default_zone(context.blueprint)
    if seen is None or zone in seen or not is_known(zone) or pool.capacity.model == "reservation":
        return
    near = [each for each in seen if catalog.region_of(each) == context.blueprint.region]
    yield Finding(
        f"no zone is named, and {pool.machine_type} is not known to be in {zone}, which is the default",
        context.at(pool, "machine_type"),
        help=f"add zones: [{near[0]}] to the pool" if near else "choose another region",
    )


@rule("GKE295", severity=Severity.ERROR, firm=True)
def existing_nodes_repeated(
    existing: ExistingCluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    taken = {
        name: context.at(pool, "name", text="the other one")
        for pool, name in known(context.blueprint.node_pools, lambda each: each.name)
    }
    for nodes, name in known(existing.nodes, lambda each: each.name):
        if name in taken:
            yield Finding(
                f"two groups of nodes are called {name}",
                context.at(nodes, "name"),
                also=(taken[name],),
                help="give one of them another name",
            )
        taken[name] = context.at(nodes, "name", text="the other one")


@rule("GKE274", severity=Severity.ERROR)
def confidential_on_other_machine(pool: NodePool, context: Context) -> Iterator[Finding]:
    yield from confidential_elsewhere(pool, context)


@rule("GKE056", severity=Severity.WARNING)
def unknown_system_machine(pool: SystemPool, context: Context) -> Iterator[Finding]:
    name = pool.machine_type
    if catalog.machine(name) or catalog.is_accelerator_prefix(name):
        return
    yield Finding(
        f"machine type {name} of the system pool is not in the catalog",
        context.at(pool, "machine_type"),
        help=did_you_mean.machine_type(name) or "`clusterprint machines` lists the known machine types",
        instead=did_you_mean.only("machine_type", name),
    )


@rule("GKE436", severity=Severity.WARNING)
def volume_type_unconfirmed_for_pool(
    blueprint: KubernetesBlueprint,  # noqa: ARG001 - its mounts
    context: Context[KubernetesBlueprint],
) -> Iterator[Finding]:
    for found in together(mounted_in(context), lambda each: each.pool.machine_type):
        (_, mount, volume), pool, _ = found.first
        if help_text := unconfirmed(volume, pool.machine_type):
            yield Finding(
                f"volume {volume.name} is a disk of type {volumes.disk_type(volume)}, which "
                f"{pool.machine_type} is not known to attach; {found.who_runs} on it",
                context.at(mount, "volume"),
                also=(
                    context.at(volume, "name", text="the disk"),
                    context.at(pool, "machine_type", text="the nodes"),
                    *again(found.others, context),
                ),
                help=help_text,
            )


@rule("GKE028", severity=Severity.WARNING)
def tpu_zone_unconfirmed_for_flex_start(
    pool: NodePool, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    found = node_pools.tpu(pool)
    if found is None or pool.capacity.model != "flex_start" or not found[0].flex_start_zones:
        return
    kind = found[0]
    for zone in node_pools.zones(context.blueprint, pool):
        if zone not in kind.flex_start_zones and is_known(zone):
            yield Finding(
                f"TPU {kind.name} is not announced for flex_start in {zone}",
                zones_label(pool, context),
                also=(context.at(pool.capacity, "model", text="the capacity model"),),
                help=f"it is announced in {listed(kind.flex_start_zones, 'and')}",
            )
