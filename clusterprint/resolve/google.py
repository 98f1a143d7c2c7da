"""Decisions that the kinds on Google Cloud share."""

import os
from pathlib import Path

import msgspec
from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.machines import Capacity, VmCapacity
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import durations, names, state_names
from clusterprint.derived.state import state_root
from clusterprint.errors import InternalError
from clusterprint.files.checked import checksum, md5_of
from clusterprint.files.tree import landing
from clusterprint.nodes.vm import manifest
from clusterprint.plan.google import (
    ObjectPlan,
    ServiceAccountPlan,
    TextPlan,
    UploadPlan,
)
from clusterprint.plan.vm import ProvisioningModel, ReservationAffinity, SchedulingPlan, TerminationAction
from clusterprint.plan.vm_nodes import NodeFile

# What any node needs: to write its logs and its metrics.
NODE_ROLES = ("roles/logging.logWriter", "roles/monitoring.metricWriter")

# The longest that flex-start machines may run.
FLEX_START_LIMIT = "7d"


def machine_of(machine_type: str) -> catalog.Machine:
    """The facts about a machine type.

    A type without accelerators that the catalog does not know (which is a warning) is taken for one like
    the others of its series; of an unknown series, for one with nothing special.
    """
    known = catalog.machine(machine_type)
    if known is not None:
        return known
    ordinary = catalog.machine("n2-standard-2")
    if ordinary is None or catalog.is_accelerator_prefix(machine_type):
        raise InternalError(f"machine type {machine_type} passed validation, but nothing is known of it")
    like = catalog.relative_of(machine_type) or ordinary
    # Every machine can be stopped for maintenance; not every one can be moved while it runs.
    return msgspec.structs.replace(like, name=machine_type, live_migration=False)


def resolve_service_account(
    blueprint: GoogleBlueprint, needed: tuple[str, ...] = NODE_ROLES
) -> ServiceAccountPlan:
    """An existing account gets only what the blueprint asks for; a new one also what its nodes need."""
    account = blueprint.service_account
    existing = account.email is not UNSET
    roles = account.roles if existing else (*needed, *account.roles)
    return ServiceAccountPlan(
        account_id="" if existing else names.service_account(blueprint.name),
        email=account.email if account.email is not UNSET else "",
        display_name=f"Nodes of {blueprint.name}",
        roles=tuple(dict.fromkeys(roles)),
    )


def bucket_role(*, read_only: bool) -> str:
    """The right to objects of a bucket, never to the bucket itself."""
    return "roles/storage.objectViewer" if read_only else "roles/storage.objectUser"


def resolve_upload(
    blueprint: Blueprint, files: tuple[FileCopy, ...], folder: Path, texts: tuple[TextPlan, ...] = ()
) -> UploadPlan | None:
    """Folders are uploaded with everything below them, in the order of their paths; so are `texts`."""
    if not files and not texts:
        return None
    objects = {}
    on_nodes = []
    root = state_root(blueprint)
    for copy in files:
        for place, file in landing(folder / copy.source, copy.landing, folder):
            path = place.strip("/")
            objects[path] = ObjectPlan(path=path, source=_relative(file, folder), md5=md5_of(file, folder))
            if copy.destination is not UNSET:
                on_nodes.append(
                    NodeFile(
                        path=place,
                        object=state_names.file_object(root, path),
                        md5=objects[path].md5,
                        executable=os.access(file, os.X_OK),
                    )
                )
    on_nodes += [
        NodeFile(
            path=f"/{each.path}",
            object=state_names.file_object(root, each.path),
            md5=checksum(each.text.encode()),
            executable=False,
        )
        for each in texts
    ]
    return UploadPlan(
        bucket=blueprint.backend.gcs.bucket,
        prefix=state_names.file_object(root, ""),
        objects=tuple(objects[path] for path in sorted(objects)),
        texts=texts,
        manifest_object=state_names.file_manifest(root) if on_nodes else "",
        manifest=manifest(on_nodes) if on_nodes else "",
    )


def _relative(file: Path, folder: Path) -> str:
    """A path below the blueprint's folder, the same on every machine."""
    return Path(os.path.relpath(file, folder)).as_posix()


def resolve_scheduling(group: VmNodes, machine: catalog.Machine, *, compact: bool) -> SchedulingPlan:
    """Each capacity model with everything that it forces; `compact`: a policy holds the nodes together."""
    capacity = group.capacity
    has_gpus = machine.gpus > 0 or group.guest_accelerator is not UNSET
    bound = has_gpus or compact or group.confidential is not UNSET or capacity.model in ("spot", "flex_start")
    movable = machine.live_migration and not bound
    return SchedulingPlan(
        provisioning_model=_provisioning_model(capacity, machine),
        preemptible=capacity.model == "spot",
        automatic_restart=capacity.model in ("on_demand", "reservation"),
        # What cannot be moved to another host while it runs is stopped, and started again elsewhere.
        on_host_maintenance="MIGRATE" if movable else "TERMINATE",
        termination_action=_termination_action(capacity, machine),
        max_run_seconds=max_run_seconds(capacity),
        reservation_affinity=RESERVATION_AFFINITY[capacity.model],
        reservation=capacity.reservation if capacity.reservation is not UNSET else "",
    )


# Spot and flex-start capacity is not reserved capacity; saying so keeps reservations for who pays for them.
RESERVATION_AFFINITY: dict[str, ReservationAffinity] = {
    "on_demand": "",
    "spot": "NO_RESERVATION",
    "flex_start": "NO_RESERVATION",
    "reservation": "SPECIFIC_RESERVATION",
}


def _provisioning_model(capacity: VmCapacity, machine: catalog.Machine) -> ProvisioningModel:
    if capacity.model == "reservation" and (machine.reservation_bound or capacity.calendar):
        return "RESERVATION_BOUND"
    return _PROVISIONING_MODEL[capacity.model]


_PROVISIONING_MODEL: dict[str, ProvisioningModel] = {
    "on_demand": "STANDARD",
    "spot": "SPOT",
    "flex_start": "FLEX_START",
    "reservation": "STANDARD",
}


def _termination_action(capacity: VmCapacity, machine: catalog.Machine) -> TerminationAction:
    if _provisioning_model(capacity, machine) in ("FLEX_START", "RESERVATION_BOUND"):
        return "DELETE"
    if capacity.model != "spot" and capacity.max_run_duration is UNSET:
        return ""  # nothing ever takes such a machine down
    if capacity.termination_action is not UNSET:
        return "STOP" if capacity.termination_action == "stop" else "DELETE"
    return "STOP" if capacity.max_run_duration is UNSET else "DELETE"


def max_run_seconds(capacity: Capacity) -> int:
    """How long a machine may run; 0 for as long as it wants."""
    if capacity.max_run_duration is not UNSET:
        return durations.seconds(capacity.max_run_duration)
    return durations.seconds(FLEX_START_LIMIT) if capacity.model == "flex_start" else 0
