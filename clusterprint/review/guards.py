"""Protections of data: Terraform, the state, the cloud, or a script beside the stack."""

import re
from typing import Literal

from clusterprint.resource_types import resource_type
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, get
from clusterprint.review.machines import Side, linked

#: Where a deletion is refused: in the plan, so that nothing is applied, or in the apply; empty if nowhere.
Refusal = Literal["plan", "apply", ""]

# A pool of NetApp goes after the volumes in it, and so not before they may.
_POOL, _IN_POOL = "google_netapp_storage_pool", "google_netapp_volume"

# stacks/kept_data.py: an instance for each volume, whose key is part of the addresses of the volume.
_GUARD = "terraform_data.kept_data"
_GUARD_KEY = re.compile(r'\["(.+)"\]$')


def has_deletion_protection(resource: Resource) -> bool:
    """Whether the cloud refuses to delete it, or the provider for it."""
    found = get(resource.values, "deletion_protection", get(resource.values, "deletion_protection_enabled"))
    known = resource_type(resource.type).protection
    return bool(known and known.by_default) if found is None else found is True


def has_policy(resource: Resource) -> bool:
    """Whether the provider refuses to delete it, for what the state says."""
    return bool(get(resource.values, "deletion_policy") == "PREVENT")


def is_prevented(resource: Resource) -> bool:
    """Whether Terraform refuses to plan its deletion, as long as its block is there."""
    return get(resource.meta, "lifecycle.prevent_destroy") is True


def is_protected(resource: Resource, side: Side) -> bool:
    """Whether anything keeps a resource of one side from being deleted."""
    return is_prevented(resource) or _is_kept(resource, side)


def refusal(delta: Delta, scene: ComparedCluster) -> Refusal:
    """Where it is refused that what is there is deleted.

    What the state says counts as it was before: a change that allows a deletion has to be applied first.
    """
    if delta.before is None or not delta.destroys or scene.unguarded:
        return ""
    # Of what is removed, the block is gone, and the guard in it.
    if delta.after and is_prevented(delta.after):
        return "plan"
    return "apply" if _is_kept(delta.before, scene.resources_before) else ""


def _is_kept(resource: Resource, side: Side) -> bool:
    """Whether a deletion is refused whatever the configuration says by then."""
    if has_policy(resource) or has_deletion_protection(resource):
        return True
    inside = [each for each in side if each.type == _IN_POOL] if resource.type == _POOL else []
    return any(
        _is_kept(each, side) for each in inside if linked(each, "storage_pool", _POOL, side) is resource
    ) or any(_keeps(each, resource) for each in side if each.base == _GUARD)


def _keeps(guard: Resource, resource: Resource) -> bool:
    """Whether an instance of the guard is that of the volume of a resource, and keeps it."""
    key = _GUARD_KEY.search(guard.address)
    if key is None or guard.stack != resource.stack or get(guard.values, "input.may_be_lost") is not False:
        return False
    name, part = (text.replace("-", "_") for text in (resource.base.partition(".")[2], key[1]))
    return re.search(rf"(?:^|_){re.escape(part)}(?:_|$)", name) is not None
