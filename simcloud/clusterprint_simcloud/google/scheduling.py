"""How an instance is provisioned: which settings go together."""

from __future__ import annotations

from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.google.links import name_of
from clusterprint_simcloud.google.machines import can_migrate, has_confidential, has_gpus, takes_boot_disk
from clusterprint_simcloud.google.refusal import refusal


def check(request: Request) -> None:
    """Refuse what the API refuses.

    :raises ApiError: for the first mistake.
    """
    scheduling = block(request.state, "scheduling")
    model = scheduling.get("provisioning_model") or ""
    if model == "SPOT" or scheduling.get("preemptible"):
        _check_spot(request, scheduling)
    if model == "FLEX_START":
        _check_flex_start(request, scheduling)
    if model == "RESERVATION_BOUND" and not block(request.state, "reservation_affinity"):
        raise refusal(request, "Provisioning model RESERVATION_BOUND needs a reservation affinity.")
    if scheduling.get("max_run_duration") and not scheduling.get("instance_termination_action"):
        raise refusal(request, "Instance termination action must be specified with max run duration.")
    accelerated = has_gpus(name_of(request.text("machine_type"))) or bool(
        request.state.get("guest_accelerator")
    )
    if accelerated and scheduling.get("on_host_maintenance") != "TERMINATE":
        raise refusal(request, "Instances with guest accelerators do not support live migration.")
    _check_migration(request, scheduling)
    _check_confidential(request, scheduling)
    _check_boot_disk(request)


def _check_migration(request: Request, scheduling: dict[str, Any]) -> None:
    """Documentation "Host events", "Compact placement policies": what cannot be moved while it runs."""
    if scheduling.get("on_host_maintenance") != "MIGRATE":
        return
    if not can_migrate(name_of(request.text("machine_type"))):
        raise refusal(
            request, f"{name_of(request.text('machine_type'))} machines do not support live migration."
        )
    if request.state.get("resource_policies"):
        raise refusal(request, "Instances with resource policies do not support live migration.")


def _check_confidential(request: Request, scheduling: dict[str, Any]) -> None:
    """The provider's documentation of confidential_instance_config."""
    technology = block(request.state, "confidential_instance_config").get("confidential_instance_type")
    if not technology:
        return
    machine_type = name_of(request.text("machine_type"))
    if not has_confidential(machine_type, technology):
        raise refusal(request, f"Confidential Instance Type {technology} is not supported by {machine_type}.")
    milan = request.state.get("min_cpu_platform") == "AMD Milan"
    if technology == "SEV_SNP" and not milan:
        raise refusal(request, "Confidential Instance Type SEV_SNP needs the CPU platform AMD Milan.")
    if scheduling.get("on_host_maintenance") != "TERMINATE" and not (technology == "SEV" and milan):
        raise refusal(request, "Confidential instances do not support live migration.")


def _check_spot(request: Request, scheduling: dict[str, Any]) -> None:
    if scheduling.get("automatic_restart") is not False:
        raise refusal(request, "Scheduling must have automatic restart be false when preemptible is true.")
    if scheduling.get("on_host_maintenance") == "MIGRATE":
        raise refusal(
            request, "Scheduling must have on host maintenance be terminate when preemptible is true."
        )


def _check_flex_start(request: Request, scheduling: dict[str, Any]) -> None:
    if not scheduling.get("max_run_duration"):
        raise refusal(request, "Provisioning model FLEX_START needs a max run duration.")
    if scheduling.get("instance_termination_action") != "DELETE":
        raise refusal(request, "Provisioning model FLEX_START needs instance termination action DELETE.")
    if scheduling.get("automatic_restart") is not False:
        raise refusal(request, "Scheduling must have automatic restart be false with FLEX_START.")


def _check_boot_disk(request: Request) -> None:
    machine_type = name_of(request.text("machine_type"))
    kinds = [
        *(str(one.get("disk_type") or "") for one in request.state.get("disk") or [] if one.get("boot")),
        *(
            str(block(one, "initialize_params").get("type") or "")
            for one in request.state.get("boot_disk") or []
        ),
    ]
    for kind in kinds:
        if not takes_boot_disk(machine_type, name_of(kind)):
            raise refusal(
                request, f"{name_of(kind)} disk type cannot be used by {machine_type} machine type."
            )


def block(state: dict[str, Any], name: str) -> dict[str, Any]:
    """The one block of a name, empty if there is none."""
    found = state.get(name)
    return found[0] if isinstance(found, list) and found and isinstance(found[0], dict) else {}
