"""Virtual machines, scale sets and proximity placement groups."""

from __future__ import annotations

import re

from clusterprint_simcloud.azure import addresses
from clusterprint_simcloud.azure.group import made_up
from clusterprint_simcloud.azure.identity import IDENTITY
from clusterprint_simcloud.azure.ids import below_group, block, blocks, known, look_up, named, ref, text_list
from clusterprint_simcloud.azure.launching import check_custom_data, check_image, check_spot, check_user
from clusterprint_simcloud.azure.network import NAME, SECURITY_GROUP, SUBNET
from clusterprint_simcloud.azure.refusal import invalid, refusal
from clusterprint_simcloud.azure.traffic import ADDRESS, INTERFACE, POOL, forwarded_ports
from clusterprint_simcloud.cloud.behaviour import Plan, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record

UNIFORM = "azurerm_linux_virtual_machine_scale_set"
FLEXIBLE = "azurerm_orchestrated_virtual_machine_scale_set"
MACHINE = "azurerm_linux_virtual_machine"
PROXIMITY = "azurerm_proximity_placement_group"

_MOST_IN_ONE_GROUP = 100
_MOST_INSTANCES = 1000


# ---- scale sets


def _check_set(request: Request) -> None:
    check_image(request)
    check_spot(request)
    _check_interfaces(request)
    instances, single = int(request.state.get("instances") or 0), request.state.get("single_placement_group")
    if instances > _MOST_INSTANCES:
        raise invalid(
            request, f"expected instances to be in the range (0 - {_MOST_INSTANCES}), got {instances}"
        )
    if single and instances > _MOST_IN_ONE_GROUP:
        text = f"A scale set with a single placement group has at most {_MOST_IN_ONE_GROUP} machines."
        raise refusal(request, "BadRequest", text)
    if request.prior is not None and single and request.prior.get("single_placement_group") is False:
        raise refusal(request, "PropertyChangeNotAllowed", "singlePlacementGroup cannot become true again.")
    if request.text("capacity_reservation_group_id") and single is not False:
        text = "`single_placement_group` must be set to `false` when"
        raise invalid(request, f"{text} `capacity_reservation_group_id` is specified")
    _check_repair(request)


def _check_interfaces(request: Request) -> None:
    interfaces = blocks(request.state, "network_interface")
    if sum(bool(one.get("primary")) for one in interfaces) != 1 and len(interfaces) > 1:
        raise invalid(request, "exactly one `network_interface` must be `primary`")
    for one in interfaces:
        configurations = blocks(one, "ip_configuration")
        if sum(bool(each.get("primary")) for each in configurations) != 1:
            raise invalid(request, "exactly one `ip_configuration` must be `primary`")
        for each in configurations:
            for value in text_list(each, "load_balancer_backend_address_pool_ids"):
                pool = look_up(request.contents, value, POOL)
                ports = forwarded_ports(request.contents, pool) if pool else None
                if ports is not None and ports < int(request.state.get("instances") or 0):
                    text = f"The port range of {value} is too small for all machines of the pool."
                    raise refusal(request, "InboundNatRulePortRangeTooSmall", text)


def _check_repair(request: Request) -> None:
    repair = block(request.state, "automatic_instance_repair")
    if not repair.get("enabled"):
        return
    types = {one.get("type") for one in blocks(request.state, "extension")}
    if not types & {"ApplicationHealthLinux", "ApplicationHealthWindows"} and not request.text(
        "health_probe_id"
    ):
        text = "`automatic_instance_repair` can only be set if there is an application Health extension"
        raise invalid(request, f"{text} or a `health_probe_id` defined")
    minutes = re.fullmatch(r"PT(\d+)M", str(repair.get("grace_period") or "PT30M"))
    if minutes is None or not 10 <= int(minutes[1]) <= 90:  # noqa: PLR2004  (PT10M to PT90M, as in the message)
        raise invalid(request, '"grace_period" must be between PT10M and PT90M')


def _check_uniform(request: Request) -> None:
    check_user(request, request.text("admin_username"), blocks(request.state, "admin_ssh_key"))
    check_custom_data(request, request.state.get("custom_data"))
    trusted = request.state.get("secure_boot_enabled") or request.state.get("vtpm_enabled")
    offer = block(request.state, "source_image_reference").get("offer")
    if trusted and offer == "ubuntu-hpc":
        text = "The image does not support trusted launch."
        raise refusal(request, "BadRequest", text)


def _check_flexible(request: Request) -> None:
    linux = block(block(request.state, "os_profile"), "linux_configuration")
    check_user(request, str(linux.get("admin_username")), blocks(linux, "admin_ssh_key"))
    check_custom_data(request, block(request.state, "os_profile").get("custom_data"))
    domains, zones = request.state.get("platform_fault_domain_count"), request.state.get("zones") or []
    allowed = (1, 5) if zones else (1, 2, 3)
    if domains not in allowed:
        where = "zonal" if zones else "regional"
        text = (
            f"A {where} flexible scale set has {' or '.join(map(str, allowed))} fault domains, not {domains}."
        )
        raise refusal(request, "InvalidParameter", text)


def _fill_set(request: Request) -> None:
    """Each instance has an address in the subnet; what is too much goes from the end."""
    wanted = int(request.state.get("instances") or 0)
    for interface in blocks(request.state, "network_interface"):
        for configuration in blocks(interface, "ip_configuration"):
            subnet = look_up(request.contents, configuration.get("subnet_id"), SUBNET)
            if subnet is None:
                continue
            taken = addresses.leased_by(request.contents, subnet, request.record.key)
            for surplus in taken[wanted:]:
                addresses.release(request.contents, subnet, surplus)
            for _ in range(wanted - len(taken)):
                addresses.lease(request, subnet)


def _plan_zones(plan: Plan) -> None:
    """A zone that goes replaces the set; one that comes does not."""
    before = set((plan.prior or {}).get("zones") or [])
    after = plan.state.get("zones")
    if plan.prior is not None and isinstance(after, list | None) and before - set(after or []):
        plan.replace.append(("zones",))


_SET_REFERENCES = (
    ref("network_interface.ip_configuration.subnet_id", SUBNET),
    ref("network_interface.network_security_group_id", SECURITY_GROUP),
    ref("network_interface.ip_configuration.load_balancer_backend_address_pool_ids", POOL),
    ref("identity.identity_ids", IDENTITY),
    ref("proximity_placement_group_id", PROXIMITY),
)


# ---- virtual machines


def _check_machine(request: Request) -> None:
    check_image(request)
    check_spot(request)
    check_user(request, request.text("admin_username"), blocks(request.state, "admin_ssh_key"))
    check_custom_data(request, request.state.get("custom_data"))
    for value in text_list(request.state, "network_interface_ids"):
        interface = look_up(request.contents, value, INTERFACE)
        users = request.contents.users_of(interface) if interface else []
        other = next((one for one in users if one.type == MACHINE and one.id != request.identity), None)
        if other is not None:
            raise refusal(request, "NicInUse", f"Network interface {value} is used by {other.id}.")
    _check_membership(request)


def _check_membership(request: Request) -> None:
    scale_set = look_up(request.contents, request.text("virtual_machine_scale_set_id"), FLEXIBLE)
    if scale_set is None:
        return
    zones = scale_set.state.get("zones") or []
    if zones and request.text("zone") not in zones:
        text = (
            f"The machine is in zone {request.text('zone') or 'none'}, the scale set in {', '.join(zones)}."
        )
        raise refusal(request, "InvalidParameter", text)
    if request.text("proximity_placement_group_id") != (
        scale_set.state.get("proximity_placement_group_id") or ""
    ):
        text = "A machine and its scale set must be in one proximity placement group."
        raise refusal(request, "InvalidParameter", text)


def _addresses_of(request: Request) -> None:
    private, public = [], []
    for value in text_list(request.state, "network_interface_ids"):
        interface = look_up(request.contents, value, INTERFACE)
        for one in blocks(interface.state, "ip_configuration") if interface else []:
            private.append(str(one.get("private_ip_address") or ""))
            address = look_up(request.contents, one.get("public_ip_address_id"), ADDRESS)
            public += [str(address.state["ip_address"])] if address else []
    request.state |= {
        "private_ip_addresses": private,
        "private_ip_address": private[0] if private else "",
        "public_ip_addresses": public,
        "public_ip_address": public[0] if public else "",
    }


def _stop_membership(request: Request) -> None:
    """A flexible set cannot go while machines that were put into it are there."""
    record: Record = request.record
    members = [
        one.id
        for one in request.contents.of(MACHINE)
        if str(one.state.get("virtual_machine_scale_set_id") or "").lower() == record.id.lower()
    ]
    if members:
        text = f"Scale set {record.id} still has {', '.join(members)}."
        raise refusal(request, "OperationNotAllowed", text, "409 (409 Conflict)")


_UNIQUE = {"unique_id": lambda request, _path: made_up(f"{request.identity} {request.serial}")}

RESOURCES = (
    ResourceType(
        PROXIMITY,
        "Proximity Placement Group",
        below_group("Microsoft.Compute/proximityPlacementGroups"),
        named(PROXIMITY, NAME),
    ),
    ResourceType(
        UNIFORM,
        "Linux Virtual Machine Scale Set",
        below_group("Microsoft.Compute/virtualMachineScaleSets"),
        known(UNIFORM),
        computed={
            **_UNIQUE,
            "platform_fault_domain_count": 5,
            "identity.principal_id": "",
            "identity.tenant_id": "",
            "scale_in": [],
            "spot_restore": [],
            "termination_notification": [],
            "automatic_instance_repair.action": "Replace",
        },
        references=_SET_REFERENCES,
        planned=[_plan_zones],
        checks=[_check_set, _check_uniform],
        created=[_fill_set],
        updated=[_fill_set],
    ),
    ResourceType(
        FLEXIBLE,
        "Orchestrated Virtual Machine Scale Set",
        below_group("Microsoft.Compute/virtualMachineScaleSets"),
        known(FLEXIBLE),
        computed={
            **_UNIQUE,
            "single_placement_group": False,
            "termination_notification": [],
            "automatic_instance_repair.action": "Replace",
        },
        references=_SET_REFERENCES,
        planned=[_plan_zones],
        checks=[_check_set, _check_flexible],
        created=[_fill_set],
        updated=[_fill_set],
        deleting=[_stop_membership],
    ),
    ResourceType(
        MACHINE,
        "Linux Virtual Machine",
        below_group("Microsoft.Compute/virtualMachines"),
        known(MACHINE),
        computed={
            "virtual_machine_id": lambda request, _path: made_up(f"{request.identity} {request.serial}"),
            "identity.principal_id": "",
            "identity.tenant_id": "",
            "os_disk.name": "{name}_OsDisk_1",
            "os_disk.id": "",
            "disk_controller_type": "SCSI",
            "patch_mode": "ImageDefault",
            "patch_assessment_mode": "ImageDefault",
            "termination_notification": [],
            "private_ip_address": "",
            "private_ip_addresses": [],
            "public_ip_address": "",
            "public_ip_addresses": [],
        },
        references=(
            ref("network_interface_ids", INTERFACE),
            ref("identity.identity_ids", IDENTITY),
            ref("proximity_placement_group_id", PROXIMITY),
            ref("virtual_machine_scale_set_id", FLEXIBLE),
        ),
        checks=[_check_machine],
        created=[_addresses_of],
        updated=[_addresses_of],
    ),
)
