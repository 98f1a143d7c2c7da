"""The machines that resources stand for: how many, of what sort, how they are obtained."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from clusterprint.catalog import region_of
from clusterprint.derived.auto_creation import MAX_NODES, dearest
from clusterprint.derived.machines import Disk, Machines
from clusterprint.resource_types import resource_type
from clusterprint.review.attached import disks, external_addresses, local_ssd_gb, reservations, zones
from clusterprint.review.delta import Resource, blocks, get
from clusterprint.review.known import region_at
from clusterprint.review.model import CapacityModel
from clusterprint.review.objects import objects_of

# GKE spreads a regional pool that names no zones over three.
_ZONES_OF_A_REGION = 3


Side = Sequence[Resource]


def machines_of(resources: Side) -> list[Machines]:
    """All machines of one side, in the order of their resources."""
    found = []
    for resource in resources:
        reader = _READERS.get(resource_type(resource.type).machines or "")
        if reader:
            found += list(reader(resource, resources))
    return [each for each in found if each.machine_type]


def linked(resource: Resource, path: str, type_: str, side: Side) -> Resource | None:
    """The resource of a type that an argument refers to: by reference, by value, or as the only one."""
    candidates = [each for each in side if each.type == type_ and each.stack == resource.stack]
    for reference in resource.refers.get(path, ()):
        for each in candidates:
            if reference == each.base or reference.startswith((f"{each.base}.", f"{each.base}[")):
                return each
    value = get(resource.values, path)
    for each in candidates:
        names = {each.values.get(key) for key in ("self_link_unique", "self_link", "id", "name")}
        if isinstance(value, str) and value in names:
            return each
    return candidates[0] if len(candidates) == 1 else None


def _number(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0


# ---- Google Cloud


def _instance_group(group: Resource, side: Side) -> Iterator[Machines]:
    """A managed instance group: its nodes by name, its requests for nodes, or its size."""
    template = _template(group, side)
    if template is None:
        return
    named = [
        each
        for each in side
        if each.type in ("google_compute_per_instance_config", "google_compute_region_per_instance_config")
        and linked(each, "instance_group_manager", group.type, side) is group
    ]
    requested = [
        _number(get(each.values, "resize_by"))
        for each in side
        if each.type == "google_compute_resize_request"
        and linked(each, "instance_group_manager", group.type, side) is group
    ]
    nodes = len(named) + sum(requested) or _number(get(group.values, "target_size"))
    yield _google(group, template.values, nodes, nodes, _region(group))


def _template(group: Resource, side: Side) -> Resource | None:
    for type_ in ("google_compute_instance_template", "google_compute_region_instance_template"):
        found = linked(group, "version.instance_template", type_, side)
        if found:
            return found
    return None


def _google(resource: Resource, config: Mapping[str, Any], nodes: int, most: int, region: str) -> Machines:
    attached = blocks(config, "guest_accelerator")[:1]
    machine_type = str(get(config, "machine_type", ""))
    return Machines(
        resource.address,
        str(get(resource.values, "name", "")),
        machine_type,
        _google_model(config),
        nodes,
        most,
        str(attached[0].get("type", "")) if attached else "",
        _number(attached[0].get("count")) if attached else 0,
        region,
        _literal(get(resource.values, "project")),
        disks(config),
        local_ssd_gb(machine_type, config),
        external_addresses(config),
        zones(resource.values),
        reservations(config),
    )


def _literal(value: Any) -> str:
    return value if isinstance(value, str) and "${" not in value else ""


def _region(resource: Resource, *others: Resource | None) -> str:
    """The region of a resource, or else of the others: by its zones, its zone, or where it is said to be."""
    for each in (resource, *(other for other in others if other)):
        zones = get(each.values, "node_locations")
        named = zones[:1] if isinstance(zones, list) else []
        for place in (*named, *(get(each.values, key) for key in ("zone", "region", "location"))):
            if isinstance(place, str) and place and "${" not in place:
                return region_at(place)
    return ""


def _google_model(config: Mapping[str, Any]) -> CapacityModel:
    provisioning = get(config, "scheduling.provisioning_model", "")
    affinity = get(
        config, "reservation_affinity.type", get(config, "reservation_affinity.consume_reservation_type")
    )
    if provisioning == "SPOT" or get(config, "spot") is True or get(config, "preemptible") is True:
        return "spot"
    if provisioning == "FLEX_START" or get(config, "flex_start") is True:
        return "flex_start"
    if provisioning == "RESERVATION_BOUND" or affinity == "SPECIFIC_RESERVATION":
        return "reservation"
    return "on_demand"


def _instance(resource: Resource, _: Side) -> Iterator[Machines]:
    yield _google(resource, resource.values, 1, 1, _region(resource))


def _node_pool(pool: Resource, side: Side) -> Iterator[Machines]:
    config = get(pool.values, "node_config", {})
    config = config[0] if isinstance(config, list) and config else config
    count = _zones(pool, side)
    scaling = get(pool.values, "autoscaling", {})
    least = _number(get(scaling, "total_min_node_count")) or _number(get(scaling, "min_node_count")) * count
    most = _number(get(scaling, "total_max_node_count")) or _number(get(scaling, "max_node_count")) * count
    if not most:
        fixed = get(pool.values, "node_count", get(pool.values, "initial_node_count", 0))
        least = most = _number(fixed) * count
    cluster = linked(pool, "cluster", "google_container_cluster", side)
    region = _region(pool, cluster)
    found = _google(pool, config if isinstance(config, dict) else {}, least, most, region)
    found = found._replace(zones=found.zones or zones(*(each.values for each in (cluster,) if each)))
    if get(pool.values, "queued_provisioning.enabled") is True and found.model == "on_demand":
        found = found._replace(model="flex_start")
    yield found


def _zones(pool: Resource, side: Side) -> int:
    """How many zones a node pool is in."""
    cluster = linked(pool, "cluster", "google_container_cluster", side)
    for each in (pool, cluster) if cluster else (pool,):
        named = get(each.values, "node_locations")
        if isinstance(named, list) and named:
            return len(named)
    location = get(pool.values, "location", "")
    if "${" in str(location) and cluster:
        location = get(cluster.values, "location", "")
    is_region = str(location).count("-") == 1 and "${" not in str(location)
    return _ZONES_OF_A_REGION if is_region else 1


def _created_nodes(release: Resource, _: Side) -> Iterator[Machines]:
    """Pools that GKE creates for our compute classes: none at first, at most as many as their limits."""
    for each in objects_of(release):
        most = get(each.content, "metadata.annotations", {}).get(MAX_NODES, "")
        ways = [rule for rule in blocks(each.content, "spec.priorities") if "machineType" in rule]
        if each.kind != "ComputeClass" or not ways or not str(most).isdecimal():
            continue
        name = str(get(each.content, "metadata.name", ""))
        places = tuple(str(zone) for zone in get(ways[0], "location.zones", ()))
        storage = get(ways[0], "storage", {})
        yield Machines(
            f"{release.address}#{name}",
            f"{name}-created",
            str(ways[0]["machineType"]),
            dearest(_model_of_way(way) for way in ways),
            0,
            int(most),
            str(get(ways[0], "gpu.type", "")),
            _number(get(ways[0], "gpu.count")),
            region_of(places[0]) if places else "",
            disks=(Disk(str(storage.get("bootDiskType", "")), _number(storage.get("bootDiskSize"))),),
            zones=places,
        )


def _model_of_way(way: Mapping[str, Any]) -> CapacityModel:
    if way.get("spot") is True:
        return "spot"
    if get(way, "flexStart.enabled") is True:
        return "flex_start"
    return "reservation" if "reservations" in way else "on_demand"


# ---- Azure


def _scale_set(resource: Resource, _: Side) -> Iterator[Machines]:
    size = get(resource.values, "sku_name", get(resource.values, "sku", ""))
    nodes = _number(get(resource.values, "instances"))
    yield _azure(resource, str(size), nodes)


def _azure_machine(resource: Resource, _: Side) -> Iterator[Machines]:
    yield _azure(resource, str(get(resource.values, "size", "")), 1)


def _azure(resource: Resource, size: str, nodes: int) -> Machines:
    model: CapacityModel = "on_demand"
    if get(resource.values, "priority") == "Spot":
        model = "spot"
    elif get(resource.values, "capacity_reservation_group_id"):
        model = "reservation"
    name, region = str(get(resource.values, "name", "")), region_at(get(resource.values, "location"))
    return Machines(resource.address, name, size, model, nodes, nodes, region=region)


def _aks_pool(resource: Resource, _: Side) -> Iterator[Machines]:
    nodes = _number(get(resource.values, "node_count"))
    found = _azure(resource, str(get(resource.values, "vm_size", "")), nodes)
    least, most = _number(get(resource.values, "min_count")), _number(get(resource.values, "max_count"))
    yield found._replace(nodes=least, most=most) if most else found


_READERS: dict[str, Callable[[Resource, Side], Iterator[Machines]]] = {
    "instance group": _instance_group,
    "instance": _instance,
    "node pool": _node_pool,
    "created nodes": _created_nodes,
    "scale set": _scale_set,
    "azure machine": _azure_machine,
    "aks pool": _aks_pool,
}
