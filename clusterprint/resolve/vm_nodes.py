"""Decisions about one group of machines of `kind: vm`."""

from pathlib import Path

from msgspec import UNSET, UnsetType

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import ShieldedVm, VmNodes
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import (
    disk_pools,
    kms_keys,
    names,
    node_groups,
    node_images,
    node_settings,
    node_system,
    volumes,
)
from clusterprint.derived.texts import text_of
from clusterprint.derived.updates import batch
from clusterprint.nodes.vm import MOUNTED
from clusterprint.nodes.vm import metadata as set_up
from clusterprint.plan.vm import (
    DataDiskPlan,
    GroupPartPlan,
    GroupPlan,
    InterfacePlan,
    NicType,
    NodeGroupPlan,
    ShieldedPlan,
    TemplatePlan,
)
from clusterprint.resolve import google, network
from clusterprint.resolve.copied_fields import carried
from clusterprint.resolve.state import resolve_labels
from clusterprint.resolve.vm_arrival import resolve_arrival
from clusterprint.resolve.vm_health import resolve_health_check
from clusterprint.resolve.vm_images import image_path, resolve_image
from clusterprint.resolve.vm_placement import (
    PlacementKind,
    distinction,
    existing_policy,
    resolve_placement,
    resolve_policy,
)

# Accelerators are scarce: it can take this long until the last node has one.
_WAIT_MINUTES = 60

# The provider reads the named nodes of a group in one answer of the API, which holds so many.
_MOST_NAMED = 500


def resolve_group(blueprint: VmBlueprint, group: VmNodes, folder: Path) -> NodeGroupPlan:
    """The plan of a group; `folder` is that of the blueprint."""
    machine = google.machine_of(group.machine_type)
    prefix = node_groups.prefix(blueprint, group)
    name = node_groups.group_name(group)
    own = {names.GROUP_LABEL: name} if name else {}
    placement = resolve_placement(group, machine)
    return NodeGroupPlan(
        key=name,
        zone=node_groups.zone(blueprint, group),
        labels=resolve_labels(blueprint) | own,
        placement=placement,
        policy=resolve_policy(prefix, group, machine, placement),
        existing_policy=existing_policy(blueprint, group),
        template=_template(blueprint, group, machine, folder, placement),
        group=_group(blueprint, group, machine, placement),
    )


def _template(
    blueprint: VmBlueprint,
    nodes: VmNodes,
    machine: catalog.Machine,
    folder: Path,
    placement: PlacementKind,
) -> TemplatePlan:
    attached = nodes.guest_accelerator
    disk_type = nodes.boot_disk.type
    # Bundled local SSDs come with the machine; only chosen ones are asked for.
    chosen = nodes.local_ssd.count if nodes.local_ssd is not UNSET else 0
    return TemplatePlan(
        name_prefix=names.instance_template_prefix(node_groups.prefix(blueprint, nodes)),
        **carried(TemplatePlan, nodes, "confidential", "metadata"),
        image=_image(blueprint, nodes, folder),
        boot_disk_device=names.BOOT_DEVICE,
        boot_disk_type=machine.boot_disk_types[0] if disk_type is UNSET else disk_type,
        boot_disk_size_gb=nodes.boot_disk.size_gb,
        boot_disk_pool=_pool(blueprint, nodes.boot_disk.pool),
        local_ssds=chosen if machine.local_ssd.mode == "optional" else 0,
        local_ssd_size_gb=machine.local_ssd.disk_gib,
        # Accelerator machine types bring their GPUs; only N1 takes some.
        accelerator_type=attached.type if attached is not UNSET and machine.gpus == 0 else "",
        accelerator_count=attached.count if attached is not UNSET and machine.gpus == 0 else 0,
        interfaces=_interfaces(
            blueprint, node_groups.with_extra(machine.network, nodes), public_ip=nodes.public_ip
        ),
        scheduling=google.resolve_scheduling(nodes, machine, compact=placement == "compact"),
        confidential="" if nodes.confidential is UNSET else nodes.confidential.upper(),
        min_cpu_platform=catalog.confidential_processors(nodes.confidential)
        if nodes.confidential is not UNSET
        else "",
        shielded=_shielded(nodes.shielded_vm),
        metadata=_metadata(blueprint, nodes, folder),
        data_disks=tuple(
            _data_disk(each, blueprint) for each in blueprint.storage.volumes if each.kind == "disk"
        ),
        mounted=() if node_system.unsuitable(nodes) else _mounted(blueprint),
        mounted_key=MOUNTED,
        kms_key=kms_keys.of_all(blueprint),
    )


def _shielded(shielded: ShieldedVm) -> ShieldedPlan | None:
    """None with all of it off: images that do not boot by UEFI refuse even to be asked."""
    if not (shielded.secure_boot or shielded.vtpm or shielded.integrity_monitoring):
        return None
    return ShieldedPlan(**carried(ShieldedPlan, shielded))


def _image(blueprint: VmBlueprint, nodes: VmNodes, folder: Path) -> str:
    """The image as a path; a family is followed to its newest image when a node is made."""
    built = resolve_image(blueprint, nodes, folder)
    if built:
        return image_path(built)
    if nodes.image is UNSET:
        default = node_images.default_image(nodes)
        return f"projects/{default.project}/global/images/family/{default.family}"
    if nodes.image.family is not UNSET:
        return f"projects/{nodes.image.project}/global/images/family/{nodes.image.family}"
    return f"projects/{nodes.image.project}/global/images/{nodes.image.name}"


def _interfaces(
    blueprint: VmBlueprint, layout: catalog.NetworkLayout, *, public_ip: bool
) -> tuple[InterfacePlan, ...]:
    """The primary interface first; then gVNIC and RDMA interfaces in the order of the host's cards."""
    existing = blueprint.network.existing
    path = ""
    if existing is not UNSET:
        host = blueprint.project if existing.project is UNSET else existing.project
        path = f"projects/{host}/regions/{blueprint.region}/subnetworks/{existing.subnetwork}"
    primary = InterfacePlan(
        subnet="" if path else network.PRIMARY,
        existing_subnet=path,
        nic_type="GVNIC",
        public_ip=public_ip,
    )
    keys: list[tuple[str, NicType]] = [
        *((network.gpu_network_key(index), "GVNIC") for index in range(layout.extra_vpcs)),
        *((network.rdma_subnet_key(index), layout.rdma_nic) for index in range(layout.rdma_subnets)),
    ]
    others = [
        InterfacePlan(subnet=key, existing_subnet="", nic_type=nic_type, public_ip=False)
        for key, nic_type in keys
    ]
    return (primary, *others)


def _metadata(blueprint: VmBlueprint, nodes: VmNodes, folder: Path) -> dict[str, str]:
    metadata = {
        **blueprint.metadata,
        "enable-oslogin": "TRUE" if nodes.os_login else "FALSE",
        # Names of nodes resolve within their zone, so an outage elsewhere does not reach them.
        "VmDnsSetting": "ZonalPreferred",
    }
    script = node_groups.startup_script(blueprint, nodes)
    text = "" if script is UNSET else text_of(script, folder)
    if node_system.unsuitable(nodes):
        return metadata | ({"startup-script": text} if text else {})
    return metadata | set_up(node_settings.settings(blueprint, nodes, text))


def _mounted(blueprint: VmBlueprint) -> tuple[str, ...]:
    """Of what is known only once it is there: the addresses of file systems, and names with random digits."""
    found = [each.name for each, _ in volumes.mounts(blueprint.storage) if each.kind != "disk"]
    found += [
        each.name for each, _ in volumes.bucket_mounts(blueprint.storage) if volumes.has_random_suffix(each)
    ]
    return tuple(found)


def _pool(blueprint: VmBlueprint, name: str | UnsetType) -> str:
    return disk_pools.path(blueprint, name, blueprint.zone or "")


def _data_disk(volume: VmVolume, blueprint: VmBlueprint) -> DataDiskPlan:
    """One of the node's own is described; of a shared one it is said which it is."""
    own = volumes.is_own_disk(volume)
    return DataDiskPlan(
        device=volume.name,
        volume="" if own or not volume.create else volume.name,
        source="" if volume.disk is UNSET else volume.disk,
        type=volumes.disk_type(volume) if own else "",
        size_gb=volumes.size_gib(volume) if own else 0,
        iops=volume.iops if own and volume.iops is not UNSET else 0,
        throughput_mbps=volume.throughput_mbps if own and volume.throughput_mbps is not UNSET else 0,
        pool=_pool(blueprint, volume.pool),
    )


def _group(
    blueprint: VmBlueprint, nodes: VmNodes, machine: catalog.Machine, placement: PlacementKind
) -> GroupPlan:
    prefix = node_groups.prefix(blueprint, nodes)
    queued = nodes.capacity.model == "flex_start"
    return GroupPlan(
        wait_minutes=_WAIT_MINUTES,
        health_check=resolve_health_check(prefix, nodes),
        base_instance_name=prefix,
        parts=_parts(blueprint, nodes, distinction(nodes, machine, placement)),
        queued=nodes.count if queued else 0,
        resize_request=names.resize_request(prefix),
        update_type="OPPORTUNISTIC" if nodes.update.strategy == "opportunistic" else "PROACTIVE",
        kept_disks=(
            *((names.BOOT_DEVICE,) if node_groups.keeps_boot_disk(nodes) else ()),
            *(each.name for each in blueprint.storage.volumes if volumes.is_own_disk(each)),
        ),
        # A queued node that is gone is gone: its place was granted once.
        repair=not queued and nodes.repair is not False,
        keep_public_ip=nodes.keep_public_ip,
        idle=node_settings.idle(nodes),
    )


def _parts(blueprint: VmBlueprint, nodes: VmNodes, told_by: str) -> tuple[GroupPartPlan, ...]:
    """The groups of the nodes: one for each zone, and for each five hundred of their names."""
    prefix = node_groups.prefix(blueprint, nodes)
    zones = node_groups.zones(blueprint, nodes)
    queued = nodes.capacity.model == "flex_start"
    found = []
    for position, zone in enumerate(zones):
        own = tuple(names.node(prefix, index) for index in range(position, nodes.count, len(zones)))
        chunks = () if queued else [own[at : at + _MOST_NAMED] for at in range(0, len(own), _MOST_NAMED)]
        for number, chunk in enumerate(chunks or ((),)):
            key = "-".join(filter(None, (zone if len(zones) > 1 else "", str(number or ""))))
            name = names.instance_group(prefix, told_by, key)
            arrival = resolve_arrival(
                blueprint,
                zone=zone,
                name=name,
                nodes=nodes.count if queued else len(chunk),
                queued=queued,
            )
            found.append(
                GroupPartPlan(
                    key=key,
                    name=name,
                    zone=zone,
                    nodes=chunk,
                    arrival=arrival,
                    batch=max(1, batch(nodes.update, len(own)) // max(1, len(chunks))),
                )
            )
    return tuple(found)
