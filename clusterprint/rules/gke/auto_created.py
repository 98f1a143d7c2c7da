from clusterprint import catalog
from clusterprint.blueprint.gke.compute_classes import AutoCreation, ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.machines import Capacity
from clusterprint.derived import auto_creation, reservations
from clusterprint.rules.gke._pools import machine_label, machines_of
from clusterprint.rules.gke._tpus import slice_of
from clusterprint.rules.google._capacity import is_sold, refused_boot_disks
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, counted, given, known, rule


@rule("GKE412", severity=Severity.ERROR, firm=True)
def auto_created_nodes_unlike_pools(
    compute_class: ComputeClass, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    nodes = compute_class.auto_create
    if nodes is UNSET or _offered(nodes) is None:
        return
    if (given(nodes.tpu) or catalog.machine(nodes.machine_type) is None) and slice_of(nodes) is None:
        return  # another rule says so
    wanted = machines_of(auto_creation.as_pool(compute_class, nodes))
    for pool, (name, sort) in known(
        context.blueprint.node_pools, lambda each: (each.name, machines_of(each))
    ):
        if name in compute_class.prefer and sort != wanted:
            shape = f", tpu: {{topology: {pool.tpu.topology}}}" if given(pool.tpu) else ""
            others = "TPU slices" if shape else "GPUs"
            yield Finding(
                f"pods of compute class {compute_class.name} that run on pool {name} cannot run on "
                f"{nodes.machine_type}: it has other {others} or networks than {pool.machine_type}",
                context.at(nodes, "machine_type"),
                also=(machine_label(pool, context),),
                help=f"write machine_type: {pool.machine_type}{shape}",
            )
            return


@rule("GKE413", severity=Severity.ERROR, firm=True)
def auto_created_capacity_unusable(nodes: AutoCreation, context: Context) -> Iterator[Finding]:
    machine = _offered(nodes)
    seen: list[object] = []
    for capacity, key in known(nodes.capacity, _key):
        model = capacity.model
        sold = machine is None or is_sold(machine, model)
        if key in seen:
            why, field, help_text = "is listed twice", "model", "remove one of them"
        elif model == "reservation" and not given(capacity.reservation):
            why, field, help_text = "has no reservation", "model", "add reservation: NAME"
        elif given(capacity.reservation) and reservations.is_part(capacity.reservation):
            why, field, help_text = (
                "takes whole reservations, not blocks",
                "reservation",
                "name the reservation without block",
            )
        elif sold is False:
            why, field, help_text = f"is not available for {nodes.machine_type}", "model", "remove the entry"
        else:
            seen.append(key)
            continue
        yield Finding(f"capacity model {model} {why}", context.at(capacity, field), help=help_text)


def _offered(nodes: AutoCreation) -> catalog.Machine | catalog.TpuType | None:
    return catalog.machine(nodes.machine_type) or catalog.tpu_type_of(nodes.machine_type)


def _key(capacity: Capacity) -> object:
    return (capacity.model, capacity.reservation, capacity.max_run_duration)


@rule("GKE417", severity=Severity.NOTE)
def auto_created_nodes_without_limit(
    nodes: AutoCreation, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    if nodes.limited:
        return
    prices = [
        price.usd
        for each in nodes.capacity
        if (price := catalog.hourly_price(nodes.machine_type, each.model, context.blueprint.region))
    ]
    cost = f", which cost up to ${max(prices) * nodes.max_nodes:.2f} an hour" if prices else ""
    made = counted(nodes.max_nodes, "node")
    yield Finding(
        f"GKE may create {made} of {nodes.machine_type}{cost}, and more if more pods wait",
        context.at(nodes, "max_nodes"),
        help="write limited: true to make GKE respect max_nodes",
    )


@rule("GKE418", severity=Severity.ERROR, firm=True)
def auto_created_boot_disk_refused(nodes: AutoCreation, context: Context) -> Iterator[Finding]:
    yield from refused_boot_disks(nodes, context, certain=True)


@rule("GKE419", severity=Severity.WARNING)
def auto_created_boot_disk_unconfirmed(nodes: AutoCreation, context: Context) -> Iterator[Finding]:
    yield from refused_boot_disks(nodes, context, certain=False)
