"""Managed instance groups: they make instances, by number, by name, or when capacity is found."""

from __future__ import annotations

import hashlib
from typing import Any

from clusterprint_simcloud.cloud.behaviour import DataSource, Plan, Request, ResourceType, State
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.cloud.groups import GROUP, INSTANCE, awaited
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.facts import named
from clusterprint_simcloud.google.instance import REGIONAL_TEMPLATE, TEMPLATE, launch
from clusterprint_simcloud.google.links import COMPUTE, find, link, name, name_of, region_of, same
from clusterprint_simcloud.google.refusal import field, not_found, refusal
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.values import Path

CONFIG = "google_compute_per_instance_config"
RESIZE = "google_compute_resize_request"
HEALTH_CHECK = "google_compute_health_check"
# How many configurations the API lists at once (listPerInstanceConfigs, maxResults).
_PAGE = 500
# Longest life of what a resize request brings, in seconds: seven days; shortest: ten minutes.
_RUN_DURATION = (600, 604800)


def _status(*, stable: bool) -> list[dict[str, object]]:
    return [
        {
            "is_stable": stable,
            "all_instances_config": [{"current_revision": "", "effective": True}],
            "stateful": [{"has_stateful_config": False, "per_instance_configs": [{"all_effective": True}]}],
            "version_target": [{"is_reached": True}],
        }
    ]


def _template_of(request: Request, group: Record) -> Record:
    link_to_template = str(block(group.state, "version").get("instance_template") or "")
    found = find(request, link_to_template, TEMPLATE, REGIONAL_TEMPLATE)
    if found is None:
        raise not_found(f"Error creating instances of {group.id}", link_to_template)
    return found


def _check_region(request: Request) -> None:
    for version in request.state.get("version") or []:
        template = find(request, version["instance_template"], REGIONAL_TEMPLATE)
        if template is not None and name_of(str(template.state["region"])) != region_of(request):
            raise refusal(request, f"Template '{template.id}' is not in region {region_of(request)}.")


def _workload_policy(state: State | None) -> str:
    policy = block(state or {}, "resource_policies").get("workload_policy")
    return policy if isinstance(policy, str) else ""


def _plan_policy(plan: Plan) -> None:
    """A policy is dropped by making the group anew (ForceNewIfChange in the provider's CustomizeDiff)."""
    if _workload_policy(plan.prior) and not (plan.state.get("resource_policies") or []):
        plan.replace.append(("resource_policies",))


def _check_policy(request: Request) -> None:
    """Documentation "Replace, remove, or delete workload policies": only while there are no instances."""
    before, after = _workload_policy(request.prior), _workload_policy(request.state)
    if before and not same(before, after) and _instances(request, request.record):
        text = "The workload policy of a managed instance group that has instances cannot be changed."
        raise refusal(request, f"{text} Group: '{request.identity}'.")


def _check_disks(request: Request) -> None:
    """Documentation "How updating instances handles preserved state": the template has all kept disks."""
    kept = {str(one.get("device_name")) for one in request.state.get("stateful_disk") or []}
    for version in request.state.get("version") or []:
        template = find(request, version["instance_template"], TEMPLATE, REGIONAL_TEMPLATE)
        disks = template.state.get("disk") or [] if template is not None else []
        missing = kept - {str(one.get("device_name")) for one in disks}
        if template is not None and missing:
            text = f"Stateful disk '{min(missing)}' is not defined in instance template '{template.id}'."
            raise refusal(request, text)


def _instances(request: Request, group: Record) -> list[Record]:
    return [one for one in request.contents.owned_by(group) if one.type == INSTANCE]


def _add(request: Request, group: Record, how_many: int) -> None:
    base = str(group.state["base_instance_name"])
    for _ in range(how_many):
        seed = f"{group.id} {request.contents.next_serial()}"
        suffix = hashlib.sha256(seed.encode()).hexdigest()[:4]
        launch(request, f"{base}-{suffix}", _template_of(request, group), group)


def _count(request: Request, group: Record) -> None:
    """The size that Terraform reads back: existing and awaited machines, however they were asked for."""
    missing = awaited(request.contents, group)
    group.state["target_size"] = len(_instances(request, group)) + len(missing)
    group.state["status"] = _status(stable=not missing)


def _fill_group(request: Request) -> None:
    _add(request, request.record, int(request.state.get("target_size") or 0))


def _update_group(request: Request) -> None:
    group = request.record
    there = _instances(request, group)
    wanted = int(request.state.get("target_size") or 0)
    for surplus in there[wanted:]:
        request.contents.remove(surplus)
    _add(request, group, wanted - len(there))
    changed = block(request.prior or {}, "version") != block(request.state, "version")
    if changed and block(request.state, "update_policy").get("type") == "PROACTIVE":
        for one in _instances(request, group):
            request.contents.remove(one)
            launch(request, str(one.state["name"]), _template_of(request, group), group)
    _count(request, group)


def _group_of(request: Request) -> Record:
    found = find(request, request.text("instance_group_manager"), GROUP)
    assert found is not None  # noqa: S101  (references have been resolved)
    return found


def _create_named(request: Request) -> None:
    """The provider calls createInstances: the instance of that name comes to be, and the group grows.

    The call succeeds once it is understood. Where there is no machine, the group goes on trying.
    """
    group = _group_of(request)
    if request.text("zone") in request.contents.shortages:
        awaited(request.contents, group)[request.text("name")] = request.record.key
    else:
        launch(request, request.text("name"), _template_of(request, group), group)
    _count(request, group)


def _delete_named(request: Request) -> None:
    """Deleting the configuration leaves the instance, unless told otherwise."""
    group = find(request, request.text("instance_group_manager"), GROUP)
    if group is None or not request.state.get("remove_instance_on_destroy"):
        return
    for one in _instances(request, group):
        if one.state["name"] == request.text("name"):
            request.contents.remove(one)
    awaited(request.contents, group).pop(request.text("name"), None)
    _count(request, group)


def _check_read(request: Request) -> None:
    """The provider reads one page of a group's configurations, and takes what is not on it for gone."""
    group = _group_of(request)
    there = [one for one in request.contents.owned_by(group) if one.type == CONFIG]
    if len(there) > _PAGE:
        text = "Provider produced inconsistent result after apply: root object was present, but now absent"
        raise ApiError(f"{text} ({len(there)} configurations of {group.id}).")


def _own(request: Request) -> None:
    """It is a part of the group, and goes with it."""
    request.record.owner = _group_of(request).key


def _check_resize(request: Request) -> None:
    group = _group_of(request)
    if block(group.state, "instance_lifecycle_policy").get("default_action_on_failure") != "DO_NOTHING":
        text = "default_action_on_failure is DO_NOTHING in its instance lifecycle policy."
        raise refusal(request, f"Resize requests need a group whose {text}")
    seconds = block(request.state, "requested_run_duration").get("seconds")
    if seconds is not None and not _RUN_DURATION[0] <= int(seconds) <= _RUN_DURATION[1]:
        where = field("resource.requestedRunDuration.seconds", seconds)
        raise refusal(request, f"{where}. Must be between 600 and 604800.")
    size = int(request.state.get("resize_by") or 0)
    if size < 1:
        raise refusal(request, f"{field('resource.resizeBy', size)}. Must be positive.")


def _resize(request: Request) -> None:
    """Capacity is found at once, or not before a shortage is over."""
    group = _group_of(request)
    if request.text("zone") in request.contents.shortages:
        return
    _add(request, group, int(request.state["resize_by"]))
    _count(request, group)


def _protocol(state: dict[str, Any]) -> str:
    """The one of the blocks that is there, in the API's words."""
    kinds = (
        key.removesuffix("_health_check")
        for key, value in state.items()
        if value and key.endswith("_health_check")
    )
    return next(kinds, "").upper()


def _state_of_request(request: Request, _path: Path) -> str:
    return "ACCEPTED" if request.text("zone") in request.contents.shortages else "SUCCEEDED"


def _read_group(contents: Contents, config: State) -> State:
    place = f"projects/{config.get('project')}/zones/{config.get('zone')}"
    identity = f"{place}/instanceGroupManagers/{config.get('name')}"
    found = contents.get(GROUP, identity)
    if found is None:
        raise not_found(f"Error reading InstanceGroupManager {identity}", identity)
    return found.state


RESOURCES = (
    ResourceType(
        HEALTH_CHECK,
        "HealthCheck",
        "projects/{project}/global/healthChecks/{name}",
        named(HEALTH_CHECK),
        computed={"type": lambda request, _path: _protocol(request.state)},
        service="compute.googleapis.com",
    ),
    ResourceType(
        GROUP,
        "InstanceGroupManager",
        "projects/{project}/zones/{zone}/instanceGroupManagers/{name}",
        named(GROUP),
        computed={
            "target_size": 0,
            "target_stopped_size": 0,
            "target_suspended_size": 0,
            "instance_group": COMPUTE + "projects/{project}/zones/{zone}/instanceGroups/{name}",
            "instance_group_manager_id": lambda request, _path: int(number(request.identity, 16)),
            "operation": "",
            "status": lambda _request, _path: _status(stable=True),
            "update_policy.max_surge_fixed": 1,
            "update_policy.max_surge_percent": 0,
            "update_policy.max_unavailable_fixed": 1,
            "update_policy.max_unavailable_percent": 0,
            "standby_policy": [{"initial_delay_sec": 0, "mode": "MANUAL"}],
            "standby_policy.initial_delay_sec": 0,
            "standby_policy.mode": "MANUAL",
        },
        references=[
            link("version.instance_template", TEMPLATE, REGIONAL_TEMPLATE),
            link("resource_policies.workload_policy", "google_compute_resource_policy"),
            link("auto_healing_policies.health_check", HEALTH_CHECK),
        ],
        service="compute.googleapis.com",
        planned=[_plan_policy],
        checks=[_check_region, _check_policy, _check_disks],
        created=[_fill_group],
        updated=[_update_group],
    ),
    ResourceType(
        CONFIG,
        "PerInstanceConfig",
        "{project}/{zone}/{instance_group_manager}/{name}",
        named(CONFIG),
        references=[name("instance_group_manager", GROUP, "instanceGroupManagers", holds=False)],
        service="compute.googleapis.com",
        created=[_own, _check_read, _create_named],
        deleting=[_delete_named],
    ),
    ResourceType(
        RESIZE,
        "ResizeRequest",
        "projects/{project}/zones/{zone}/instanceGroupManagers/{instance_group_manager}/resizeRequests/{name}",
        named(RESIZE),
        computed={"state": _state_of_request, "status": [{"error": [], "last_attempt": []}]},
        references=[name("instance_group_manager", GROUP, "instanceGroupManagers", holds=False)],
        service="compute.googleapis.com",
        checks=[_check_resize],
        created=[_own, _resize],
    ),
)
DATA_SOURCES = (DataSource(GROUP, _read_group),)
