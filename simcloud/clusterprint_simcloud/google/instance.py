"""Instances, disks, placement, and the templates that instances are made from."""

from __future__ import annotations

import copy
from dataclasses import replace

from clusterprint_simcloud.arguments import Argument, adding
from clusterprint_simcloud.cloud.behaviour import Computed, Plan, Reference, Request, ResourceType, State
from clusterprint_simcloud.cloud.contents import ApiError, Record
from clusterprint_simcloud.cloud.groups import INSTANCE, started
from clusterprint_simcloud.google import interfaces, ranges, scheduling
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.disk_pools import POOL as STORAGE_POOL
from clusterprint_simcloud.google.facts import known, named
from clusterprint_simcloud.google.iam import account
from clusterprint_simcloud.google.links import COMPUTE, link
from clusterprint_simcloud.google.network import NETWORK, SUBNETWORK
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scopes import plan_scopes
from clusterprint_simcloud.google.traffic import by_value
from clusterprint_simcloud.values import UNKNOWN, Path
from clusterprint_simcloud.work.clock import told

DISK = "google_compute_disk"
POLICY = "google_compute_resource_policy"
TEMPLATE = "google_compute_instance_template"
REGIONAL_TEMPLATE = "google_compute_region_instance_template"

_NETWORKING = [
    link("network_interface.network", NETWORK),
    link("network_interface.subnetwork", SUBNETWORK),
    account("service_account.email"),
]


def _internal_address(request: Request, path: Path) -> str:
    index = int(path[1])
    one = list(interfaces.attached(request))[index]
    return ranges.lease(request.contents, one.subnetwork, request.record.key) if one.subnetwork else ""


def _external_address(request: Request, _path: Path) -> str:
    return ranges.external(request.contents, request.record.key)


def _lease_given(request: Request) -> None:
    """Addresses that were asked for by value must be free, too."""
    for one in interfaces.attached(request):
        wanted = request.state["network_interface"][one.index].get("network_ip")
        if one.subnetwork is not None and isinstance(wanted, str) and wanted:
            held = request.contents.leases.get(f"addresses of {one.subnetwork.id}", {})
            reserved = held.get(wanted, "").startswith("google_compute_address ")
            if not reserved:
                ranges.lease(request.contents, one.subnetwork, request.record.key, wanted)


def _attached_network(request: Request, path: Path) -> str:
    return str(list(interfaces.attached(request))[int(path[1])].network.state["self_link"])


def _attached_subnetwork(request: Request, path: Path) -> str:
    subnetwork = list(interfaces.attached(request))[int(path[1])].subnetwork
    return str(subnetwork.state["self_link"]) if subnetwork else ""


def _interface_name(_request: Request, path: Path) -> str:
    return f"nic{path[1]}"


def _check_protection(request: Request) -> None:
    if request.state.get("deletion_protection") is True:
        message = f"Cannot delete instance {request.text('name')}: instance Deletion Protection is enabled."
        raise ApiError(
            f'{message} Set deletion_protection to false for this resource and run "terraform apply"'
        )


def _plan_stop(plan: Plan) -> None:
    """Some changes need the VM to be stopped, which the provider does only when it is allowed to."""
    if plan.prior is None or plan.state.get("allow_stopping_for_update"):
        return
    stopped = plan.state.get("desired_status") == "TERMINATED"
    for name in ("machine_type", "min_cpu_platform", "service_account", "shielded_instance_config"):
        before, after = plan.prior.get(name), plan.state.get(name)
        if before and after and before != after and UNKNOWN not in (before, after) and not stopped:
            plan.errors.append(
                f"Changing the {name} on a started instance requires stopping it. To acknowledge this,"
                " please set allow_stopping_for_update = true in your config."
            )
            return


def _plan_size(plan: Plan) -> None:
    """A disk can grow in place; a smaller one is another disk (the provider's IsDiskShrinkage)."""
    before, after = (plan.prior or {}).get("size"), plan.state.get("size")
    if isinstance(before, int | float) and isinstance(after, int | float) and after < before:
        plan.replace.append(("size",))


def _template_name(request: Request, _path: Path) -> str:
    prefix = request.text("name_prefix") or "terraform-"
    return f"{prefix}2025010100000000{request.serial:010x}"


def _unique_link(request: Request, _path: Path) -> str:
    return f"{COMPUTE}{request.identity}?uniqueId={request.serial}"


def _default_account(request: Request, _path: Path) -> str:
    return f"{number(request.text('project'), 12)}-compute@developer.gserviceaccount.com"


def launch(request: Request, name: str, template: Record, owner: Record) -> Record:
    """Make an instance as a managed instance group does.

    :raises ApiError: when the name is taken, or what the template names is gone or full.
    """
    state: State = copy.deepcopy(template.state)
    state |= {"name": name, "zone": request.text("zone"), "project": request.text("project"), "labels": {}}
    identity = f"projects/{state['project']}/zones/{state['zone']}/instances/{name}"
    made = Request(request.contents, _RESOURCES[INSTANCE], state, None, identity, request.serial)
    if request.contents.get(INSTANCE, identity) is not None:
        raise refusal(made, f"The resource '{identity}' already exists", "alreadyExists", 409)
    interfaces.check(made)
    held = [key for key in template.references if key in request.contents.records]
    record = request.contents.add(Record(INSTANCE, identity, state, held, owner=owner.key))
    started(request.contents)[record.id] = told(request.contents.rest.clock)
    for index, interface in enumerate(state.get("network_interface") or []):
        interface["network_ip"] = _internal_address(made, ("network_interface", index, "network_ip"))
    state |= {"id": identity, "self_link": COMPUTE + identity, "instance_id": number(identity, 19)}
    return record


_INTERFACE: dict[str, Computed] = {
    "network_interface.network": _attached_network,
    "network_interface.subnetwork": _attached_subnetwork,
    "network_interface.subnetwork_project": "{project}",
    "network_interface.name": _interface_name,
    "network_interface.stack_type": "IPV4_ONLY",
    "network_interface.access_config.network_tier": "PREMIUM",
    "network_interface.ipv6_access_type": "",
    "network_interface.internal_ipv6_prefix_length": 0,
    "service_account.email": _default_account,
    "scheduling.on_host_maintenance": "MIGRATE",
    "scheduling.provisioning_model": "STANDARD",
}
_SCOPES = "service_account.scopes"


def _disk_of_any_zone() -> Reference:
    """Templates name disks without their zone: it is that of the machine."""
    near = link("disk.source", DISK)

    def found(request: Request, value: str) -> Record | None:
        if "/" in value:
            return near.find(request, value)
        project = request.text("project")
        disks = (one for one in request.contents.of(DISK) if one.state.get("project") == project)
        return next((one for one in disks if one.state.get("name") == value), None)

    return replace(near, find=found)


def _template(name: str, label: str, identity: str, **computed: Computed) -> ResourceType:
    return ResourceType(
        name,
        label,
        identity,
        known(name),
        computed={
            **_INTERFACE,
            **computed,
            "name": _template_name,
            "name_prefix": "",
            "numeric_id": lambda request, _path: number(request.identity, 16),
            "disk.type": "PERSISTENT",
            "disk.mode": "READ_WRITE",
            "disk.interface": "SCSI",
            "disk.disk_type": "pd-standard",
            "disk.device_name": lambda _request, path: f"persistent-disk-{path[1]}",
            "disk.disk_size_gb": 50,
            "disk.boot": lambda _request, path: path[1] == 0,
        },
        references=[
            *_NETWORKING,
            link("resource_policies", POLICY),
            _disk_of_any_zone(),
            # It is the disks of machines that hold a pool; their template stands for them.
            link("disk.storage_pool", STORAGE_POOL),
        ],
        service="compute.googleapis.com",
        planned=[plan_scopes(_SCOPES)],
        checks=[interfaces.check, scheduling.check],
    )


_RESOURCES = {
    kind.name: kind
    for kind in (
        ResourceType(
            INSTANCE,
            "instance",
            "projects/{project}/zones/{zone}/instances/{name}",
            adding(
                named(INSTANCE),
                metadata_startup_script=Argument(
                    force_new=True, why="decided in code: documented as forcing the instance to be recreated"
                ),
            ),
            computed={
                **_INTERFACE,
                "instance_id": lambda request, _path: number(f"{request.identity} {request.serial}", 19),
                "current_status": "RUNNING",
                "cpu_platform": "Intel Sapphire Rapids",
                "min_cpu_platform": "",
                "network_interface.network_ip": _internal_address,
                "network_interface.access_config.nat_ip": _external_address,
                "boot_disk.device_name": "persistent-disk-0",
                "boot_disk.source": "projects/{project}/zones/{zone}/disks/{name}",
                "boot_disk.initialize_params.type": "pd-standard",
                "boot_disk.initialize_params.size": 50,
            },
            references=[
                *_NETWORKING,
                link("resource_policies", POLICY),
                link("attached_disk.source", DISK),
                link("boot_disk.source", DISK),
                by_value("network_interface.access_config.nat_ip", required=True),
                by_value("network_interface.network_ip", required=False),
            ],
            service="compute.googleapis.com",
            planned=[_plan_stop, plan_scopes(_SCOPES)],
            checks=[interfaces.check, scheduling.check],
            created=[_lease_given],
            deleting=[_check_protection],
        ),
        ResourceType(
            DISK,
            "Disk",
            "projects/{project}/zones/{zone}/disks/{name}",
            known(DISK),
            computed={
                "size": 10,
                "physical_block_size_bytes": 4096,
                "users": [],
                "provisioned_iops": 0,
                "provisioned_throughput": 0,
                "architecture": "",
                "access_mode": "READ_WRITE_SINGLE",
                "disk_id": lambda request, _path: number(request.identity, 16),
            },
            references=[link("storage_pool", STORAGE_POOL)],
            service="compute.googleapis.com",
            planned=[_plan_size],
        ),
        ResourceType(
            POLICY,
            "ResourcePolicy",
            "projects/{project}/regions/{region}/resourcePolicies/{name}",
            named(POLICY),
            service="compute.googleapis.com",
        ),
        _template(
            TEMPLATE,
            "instance template",
            "projects/{project}/global/instanceTemplates/{name}",
            region="",
            self_link_unique=_unique_link,
        ),
        _template(
            REGIONAL_TEMPLATE,
            "region instance template",
            "projects/{project}/regions/{region}/instanceTemplates/{name}",
        ),
    )
}
RESOURCES = tuple(_RESOURCES.values())
