"""A cluster as boxes and lines: networks, subnets, firewalls, NAT, pools, storage, workloads."""

from collections.abc import Iterator, Mapping, Sequence

from clusterprint.derived.machines import Machines
from clusterprint.resource_types import resource_type
from clusterprint.review import ideas
from clusterprint.review.capacity import family
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, Values, blocks, get
from clusterprint.review.machines import linked, machines_of
from clusterprint.review.model import Box, Diagram, Link, Status
from clusterprint.review.model.terms import in_words
from clusterprint.review.work import Pool, work

_POOL_LABEL = "cloud.google.com/gke-nodepool"


def diagram(scene: ComparedCluster) -> Diagram:
    """The parts of the cluster, with the change of each."""
    boxes: dict[str, Box] = {}
    for delta in scene.deltas:
        box = _box(delta, scene)
        if box:
            boxes[box.id] = box
    pools = list(_pools(scene))
    labels = {_id(each.resource): get(each.resource.values, "node_config.labels") for each in scene.deltas}
    selected = [Pool(box.id, {_POOL_LABEL: box.title, **(labels.get(box.id) or {})}) for box in pools]
    inside, lines = work(scene, selected)
    boxes.update({box.id: box for box in (*pools, *inside)})
    links = [link for link in (*_links(scene), *lines) if link.start in boxes and link.end in boxes]
    unique = {(each.start, each.end): each for each in links}
    return Diagram(boxes=tuple(boxes.values()), links=tuple(unique.values()))


def _id(resource: Resource) -> str:
    return f"{resource.stack}/{resource.address}"


def status(delta: Delta) -> Status:
    """The change of a part, in the words of the diagram."""
    if delta.action is None:
        return "unchanged"
    return {"forgotten": "removed", "imported": "added"}.get(delta.action, delta.action)  # type: ignore[return-value]


def _side(delta: Delta, scene: ComparedCluster) -> Sequence[Resource]:
    return scene.resources_after if delta.after else [each.before for each in scene.deltas if each.before]


def _box(delta: Delta, scene: ComparedCluster) -> Box | None:
    """The box of a resource that has one of its own; pools are made of several."""
    resource = delta.resource
    side = _side(delta, scene)
    sort = resource_type(resource.type).diagram.box
    if sort in ("", "pool") or (sort in ("firewall", "address") and not _admits(resource, side)):
        return None
    return Box(
        id=_id(resource),
        sort=sort,  # type: ignore[arg-type]
        title=ideas.name(resource),
        lines=tuple(_lines(resource)),
        status=status(delta),
        inside=_network_of(resource, side),
    )


def _admits(resource: Resource, side: Sequence[Resource]) -> bool:
    """Whether it lets something in; rules among the nodes let in nobody, nor does the address of NAT."""
    if resource.type == "azurerm_public_ip":
        users = (each for each in side if resource.base in _bases(each))
        return not any(each.type == "azurerm_nat_gateway_public_ip_association" for each in users)
    ranges = get(resource.values, "source_ranges") or get(resource.values, "source_address_prefixes") or []
    one = get(resource.values, "source_address_prefix")
    ports = [*blocks(resource.values, "allow")]
    narrow = any(each.get("ports") for each in ports) or resource.type.startswith("azurerm_")
    return bool(narrow and (ranges or one))


def _lines(resource: Resource) -> Iterator[str]:
    """Two or three facts that tell people what it is."""
    values = resource.values
    for path, words in (
        ("ip_cidr_range", "{}"), ("mtu", "MTU {}"), ("address_space", "{}"), ("address_prefixes", "{}"),
        ("location", "{}"), ("storage_class", "{}"), ("source_ranges", "from {}"),
        ("source_address_prefix", "from {}"), ("source_address_prefixes", "from {}"),
        ("destination_port_range", "port {}"), ("release_channel.channel", "channel {}"),
        ("min_master_version", "Kubernetes {}"), ("size", "{} GB"), ("tier", "{}"),
    ):  # fmt: skip
        found = get(values, path)
        if isinstance(found, list):
            found = ", ".join(map(str, found))
        if isinstance(found, str | int) and found != "" and "${" not in str(found):
            yield words.format(found)
    yield from _callers(values)
    for each in blocks(values, "allow"):
        ports = each.get("ports")
        if isinstance(ports, list) and ports:
            yield f"{each.get('protocol', '')} {', '.join(map(str, ports))}".strip()


def _callers(values: Values) -> Iterator[str]:
    """From where the control plane of a cluster is reached."""
    ranges = [
        str(each.get("cidr_block"))
        for each in blocks(values, "master_authorized_networks_config.cidr_blocks")
    ]
    if ranges:
        yield f"reached from {', '.join(ranges)}"
    if get(values, "control_plane_endpoints_config.dns_endpoint_config.allow_external_traffic") is True:
        yield "reached by its DNS name, as IAM allows"


def _network_of(resource: Resource, side: Sequence[Resource]) -> str:
    for path, type_ in (
        ("network", "google_compute_network"), ("virtual_network_name", "azurerm_virtual_network"),
        ("router", "google_compute_router"),
    ):  # fmt: skip
        if resource_type(resource.type).diagram.box == "network" or get(resource.values, path) is None:
            continue
        found = linked(resource, path, type_, side)
        if found and found.type == "google_compute_router":
            return _network_of(found, side)
        if found:
            return _id(found)
    return ""


def _pools(scene: ComparedCluster) -> Iterator[Box]:
    """A box for each pool of machines, as it will be, or as it was if it goes."""
    by_address = {each.resource.address: each for each in scene.deltas}
    after = {each.address: each for each in scene.machines_after}
    before = {each.address: each for each in scene.machines_before}
    for address in sorted({*before, *after}):
        was, now = before.get(address), after.get(address)
        shown = now or before[address]
        delta = by_address[shown.resource]
        one_of_several = shown.resource != address
        state = _status_of(was, now) if one_of_several else status(delta)
        if state == "unchanged" and was != now:
            state = "changed"
        cluster = linked(delta.resource, "cluster", "google_container_cluster", _side(delta, scene))
        yield Box(
            id=f"{delta.resource.stack}/{address}",
            sort="pool",
            title=shown.name if one_of_several else ideas.name(delta.resource),
            lines=tuple(_facts(was, now)),
            status=state,
            inside=_id(cluster) if cluster else "",
        )


def _status_of(was: Machines | None, now: Machines | None) -> Status:
    """Of one sort of machines out of several in a resource."""
    if was is None or now is None:
        return "added" if was is None else "removed"
    return "unchanged" if was == now else "changed"


def _facts(was: Machines | None, now: Machines | None) -> Iterator[str]:
    shown = now or was
    if shown is None:
        return
    old, new = (_count(each) if each else "" for each in (was, now))
    noun = "node" if (new or old) == "1" else "nodes"
    yield f"{old} -> {new} {noun}" if old and new and old != new else f"{new or old} {noun}"
    if was and now and was.machine_type != now.machine_type:
        yield f"{was.machine_type} -> {now.machine_type}"
    else:
        yield shown.machine_type
    of = family(shown)
    if of.unit != "node":
        yield f"{of.each:g} x {of.name} each"
    if was and now and was.model != now.model:
        yield f"{in_words(was.model)} -> {in_words(now.model)}"
    else:
        yield in_words(shown.model)


def _count(machines: Machines) -> str:
    return f"{machines.nodes}" if machines.nodes == machines.most else f"{machines.nodes} to {machines.most}"


def _links(scene: ComparedCluster) -> Iterator[Link]:
    """Pools stand in subnets and use buckets, also in those that go away."""
    states = {each.resource.address: status(each) for each in scene.deltas}
    before = [each.before for each in scene.deltas if each.before]
    gone = {each.before.address for each in scene.deltas if each.before and each.action == "removed"}
    for side, told in ((scene.resources_after, None), (before, gone)):
        machines = {each.address for each in machines_of(side)}
        for pool in (each for each in side if each.address in machines):
            texts = _texts_about(pool, side)
            for other in (each for each in side if each.stack == pool.stack):
                if told is not None and not {pool.address, other.address} & told:
                    continue  # as it is now, and will be: told already
                drawn = resource_type(other.type).diagram
                refers = other.base in texts and (drawn.line or drawn.box == "subnet")
                if refers or drawn.shared:
                    yield Link(start=_id(pool), end=_id(other), text=drawn.line, status=states[other.address])
        yield from _joined(side, told, states)


def _joined(side: Sequence[Resource], told: set[str] | None, states: Mapping[str, Status]) -> Iterator[Link]:
    """The ends of a resource that only connects others: a subnet with its NAT."""
    for joint in (each for each in side if resource_type(each.type).diagram.joins):
        joins = [each for each in side if each.stack == joint.stack and each.base in _bases(joint)]
        for other in joins[1:] if told is None or joint.address in told else ():
            yield Link(start=_id(joins[0]), end=_id(other), text="", status=states[joint.address])


def _texts_about(pool: Resource, side: Sequence[Resource]) -> set[str]:
    """The references of a pool, also through its template, its network interfaces, its cluster."""
    by_base = {each.base: each for each in side if each.stack == pool.stack}
    found: set[str] = set()
    open_ = [pool]
    while open_:
        for base in _bases(open_.pop()) - found:
            found.add(base)
            if base in by_base and resource_type(by_base[base].type).diagram.through:
                open_.append(by_base[base])
    return found


def _bases(resource: Resource) -> set[str]:
    """The resources that one refers to, without their keys."""
    return {
        ".".join(reference.split("[")[0].split(".")[:2])
        for references in resource.refers.values()
        for reference in references
    }
