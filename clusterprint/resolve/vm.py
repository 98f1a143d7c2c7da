"""Decisions about `kind: vm`."""

from ipaddress import IPv4Network
from pathlib import Path
from typing import Literal

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import ShieldedVm, VmBlueprint, VmNodes
from clusterprint.derived import names
from clusterprint.derived.ranges import IDENTITY_AWARE_PROXY
from clusterprint.derived.texts import text_of
from clusterprint.plan.google import OutputsPlan, PolicyKind, PolicyPlan
from clusterprint.plan.vm import (
    GroupPlan,
    InterfacePlan,
    NicType,
    ShieldedPlan,
    TemplatePlan,
    VmPlan,
)
from clusterprint.resolve import google, network
from clusterprint.resolve.state import resolve_labels, resolve_state, state_address

# Accelerators are scarce: it can take this long until the last node has one.
_WAIT_MINUTES = 60

# Compute; IAM for the nodes' account, and the project's policy that grants it roles; what those roles
# write to; the proxy that SSH comes through.
SERVICES = (
    "cloudresourcemanager.googleapis.com",
    "compute.googleapis.com",
    "iam.googleapis.com",
    "iap.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "storage.googleapis.com",
)


def resolve(blueprint: VmBlueprint, folder: Path) -> tuple[VmPlan]:
    """Make the plan of a cluster of virtual machines, which is one stack."""
    machine = google.machine_of(blueprint.nodes.machine_type)
    group = _group(blueprint)
    state = resolve_state(blueprint, names.stacks(blueprint.kind, blueprint.name)[0])
    plan = VmPlan(
        name=blueprint.name,
        project=blueprint.project,
        region=blueprint.region,
        zone=blueprint.zone,
        labels=resolve_labels(blueprint),
        state=state,
        services=SERVICES if blueprint.enable_services else (),
        networks=network.resolve_networks(
            blueprint.name, blueprint.network, machine.network, blueprint.project, blueprint.zone
        ),
        nat=network.resolve_nat(blueprint.name, blueprint.network, public_ip=blueprint.nodes.public_ip),
        service_account=google.resolve_service_account(blueprint),
        buckets=tuple(google.resolve_bucket(each, blueprint.region) for each in blueprint.storage.buckets),
        upload=google.resolve_upload(blueprint, blueprint.files, folder),
        policy=_policy(blueprint.name, blueprint.nodes, machine),
        template=_template(blueprint, machine, folder),
        group=group,
        outputs=_outputs(blueprint, group, state_address(state)),
    )
    return (plan,)


def _template(blueprint: VmBlueprint, machine: catalog.Machine, folder: Path) -> TemplatePlan:
    nodes = blueprint.nodes
    attached = nodes.guest_accelerator
    disk_type = nodes.boot_disk.type
    # Bundled local SSDs come with the machine; only chosen ones are asked for.
    chosen = nodes.local_ssd.count if nodes.local_ssd is not UNSET else 0
    return TemplatePlan(
        name_prefix=names.instance_template_prefix(blueprint.name),
        machine_type=nodes.machine_type,
        image=_image(nodes, machine),
        boot_disk_type=machine.boot_disk_types[0] if disk_type is UNSET else disk_type,
        boot_disk_size_gb=nodes.boot_disk.size_gb,
        local_ssds=chosen if machine.local_ssd.mode == "optional" else 0,
        local_ssd_size_gb=machine.local_ssd.disk_gib,
        # Accelerator machine types bring their GPUs; only N1 takes some.
        accelerator_type=attached.type if attached is not UNSET and machine.gpus == 0 else "",
        accelerator_count=attached.count if attached is not UNSET and machine.gpus == 0 else 0,
        interfaces=_interfaces(blueprint, machine.network),
        scheduling=google.resolve_scheduling(nodes, machine),
        threads_per_core=0 if nodes.threads_per_core is UNSET else nodes.threads_per_core,
        shielded=_shielded(nodes.shielded_vm),
        metadata=_metadata(blueprint, folder),
    )


def _shielded(shielded: ShieldedVm) -> ShieldedPlan | None:
    """None with all of it off: images that do not boot by UEFI refuse even to be asked."""
    if not (shielded.secure_boot or shielded.vtpm or shielded.integrity_monitoring):
        return None
    return ShieldedPlan(
        secure_boot=shielded.secure_boot,
        vtpm=shielded.vtpm,
        integrity_monitoring=shielded.integrity_monitoring,
    )


def _image(nodes: VmNodes, machine: catalog.Machine) -> str:
    """The image as a path; a family is followed to its newest image when a node is made."""
    if nodes.image is UNSET:
        has_gpus = machine.gpus > 0 or nodes.guest_accelerator is not UNSET
        default = catalog.default_image(architecture=machine.architecture, gpu=has_gpus)
        return f"projects/{default.project}/global/images/family/{default.family}"
    if nodes.image.family is not UNSET:
        return f"projects/{nodes.image.project}/global/images/family/{nodes.image.family}"
    return f"projects/{nodes.image.project}/global/images/{nodes.image.name}"


def _interfaces(blueprint: VmBlueprint, layout: catalog.NetworkLayout) -> tuple[InterfacePlan, ...]:
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
        public_ip=blueprint.nodes.public_ip,
    )
    keys: list[tuple[str, NicType]] = [
        *((network.gpu_network_key(index), "GVNIC") for index in range(layout.extra_vpcs)),
        *((network.rdma_subnet_key(index), "MRDMA") for index in range(layout.rdma_subnets)),
    ]
    others = [
        InterfacePlan(subnet=key, existing_subnet="", nic_type=nic_type, public_ip=False)
        for key, nic_type in keys
    ]
    return (primary, *others)


def _metadata(blueprint: VmBlueprint, folder: Path) -> dict[str, str]:
    metadata = {
        **blueprint.metadata,
        "enable-oslogin": "TRUE" if blueprint.nodes.os_login else "FALSE",
        # Names of nodes resolve within their zone, so an outage elsewhere does not reach them.
        "VmDnsSetting": "ZonalPreferred",
    }
    script = blueprint.startup_script
    if script is not UNSET:
        metadata["startup-script"] = text_of(script, folder)
    return metadata


def _policy(name: str, nodes: VmNodes, machine: catalog.Machine) -> PolicyPlan | None:
    kind = _policy_kind(nodes, machine)
    if kind == "none":
        return None
    workload = machine.workload_policy
    distance = nodes.placement.max_topology_distance
    return PolicyPlan(
        kind=kind,
        name=names.placement_policy(name),
        accelerator_topology=workload.accelerator_topology if kind == "workload" and workload else "",
        max_topology_distance="" if distance is UNSET else distance.upper(),
    )


def _policy_kind(nodes: VmNodes, machine: catalog.Machine) -> Literal["none"] | PolicyKind:
    """What the user says; else the closest placement that machine type and capacity model allow."""
    if nodes.placement.policy is not UNSET:
        return nodes.placement.policy
    workload = machine.workload_policy
    if workload and workload.required:
        return "workload"
    # A reservation is placed already, and refuses machines with a policy that it was not made with.
    # Without a fabric between GPUs, closeness is a wish, not a need. The number of nodes plays no part:
    # a policy cannot go while a node still has it, so resizing must not take it away.
    if nodes.capacity.model == "reservation" or machine.network.gpudirect == "none":
        return "none"
    if workload and nodes.capacity.model in workload.models:
        return "workload"
    return "compact" if machine.compact_placement and nodes.capacity.model == "on_demand" else "none"


def _group(blueprint: VmBlueprint) -> GroupPlan:
    nodes = blueprint.nodes
    queued = nodes.capacity.model == "flex_start"
    return GroupPlan(
        wait_minutes=_WAIT_MINUTES,
        name=names.instance_group(blueprint.name),
        base_instance_name=blueprint.name,
        nodes=() if queued else tuple(names.node(blueprint.name, index) for index in range(nodes.count)),
        queued=nodes.count if queued else 0,
        resize_request=names.resize_request(blueprint.name),
        update_type="PROACTIVE" if nodes.update == "proactive" else "OPPORTUNISTIC",
    )


def _outputs(blueprint: VmBlueprint, group: GroupPlan, state: str) -> OutputsPlan:
    where = f"--project={blueprint.project} --zone={blueprint.zone}"
    # Compute Engine names the nodes of a queued request when it grants it.
    nodes = ("NODE",) if group.queued else group.nodes
    way_in = _way_in(blueprint)
    connect = [] if way_in is None else [f"gcloud compute ssh {node} {where}{way_in}" for node in nodes]
    if group.queued:
        connect = [f"gcloud compute instance-groups managed list-instances {group.name} {where}", *connect]
    return OutputsPlan(
        connect=tuple(connect),
        nodes=group.nodes,
        addresses={node: _internal_name(node, blueprint) for node in group.nodes},
        state=state,
    )


# Addresses of networks that are joined with the cluster's.
_JOINED = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")))


def _way_in(blueprint: VmBlueprint) -> str | None:
    """How SSH gets through the firewall: an option of gcloud, nothing for public addresses; None if not.

    The firewall of an existing network is its owner's: people of a shared network come by the usual way.
    """
    network, public_ip = blueprint.network, blueprint.nodes.public_ip
    if network.existing is not UNSET:
        return "" if public_ip else " --tunnel-through-iap"
    allowed = [IPv4Network(each) for each in network.ssh_source_ranges]
    joined = [each for each in allowed if any(each.subnet_of(other) for other in _JOINED)]
    if public_ip and any(each not in joined and not each.subnet_of(IDENTITY_AWARE_PROXY) for each in allowed):
        return ""
    if any(each.overlaps(IDENTITY_AWARE_PROXY) for each in allowed):
        return " --tunnel-through-iap"
    return " --internal-ip" if joined else None


def _internal_name(node: str, blueprint: VmBlueprint) -> str:
    """The zonal name of a node in Google's internal DNS, which outlives its addresses."""
    domain, _, project = blueprint.project.rpartition(":")
    return ".".join(filter(None, [node, blueprint.zone, "c", project, domain, "internal"]))
