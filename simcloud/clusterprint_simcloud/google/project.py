"""Projects, their numbers and their APIs."""

from __future__ import annotations

from typing import Any

from clusterprint_simcloud.cloud.behaviour import DataSource, Plan, Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.network import add_default_network

SERVICE = "google_project_service"
# A project has these from the start (documentation of Service Usage, "services enabled by default").
_ENABLED_BY_DEFAULT = frozenset(
    {
        "logging.googleapis.com",
        "monitoring.googleapis.com",
        "servicemanagement.googleapis.com",
        "serviceusage.googleapis.com",
        "storage-api.googleapis.com",
        "storage-component.googleapis.com",
        "storage.googleapis.com",
    }
)
_TITLES = {
    "compute.googleapis.com": "Compute Engine API",
    "container.googleapis.com": "Kubernetes Engine API",
    "iam.googleapis.com": "Identity and Access Management (IAM) API",
    "cloudresourcemanager.googleapis.com": "Cloud Resource Manager API",
}


def project(contents: Contents, name: str) -> Record:
    """The project's record. Every project exists, with default network and account, once it is named."""
    found = contents.get("google_project", f"projects/{name}")
    if found is not None:
        return found
    digits = number(name, 12)
    record = contents.add(
        Record(
            "google_project",
            f"projects/{name}",
            {"project_id": name, "name": name, "number": digits},
            builtin=True,
        )
    )
    add_default_network(contents, name)
    email = f"{digits}-compute@developer.gserviceaccount.com"
    state = {"email": email, "project": name, "account_id": f"{digits}-compute"}
    contents.add(
        Record("google_service_account", f"projects/{name}/serviceAccounts/{email}", state, builtin=True)
    )
    return record


def admit(request: Request) -> None:
    """Refuse what is in no project, or needs an API that is off.

    An API counts as off when a configuration wants to enable it and has not yet done so, or has disabled it.
    """
    if "project" not in request.state:
        return
    name = request.text("project")
    if not name:
        message = f"project: required field is not set (neither {request.kind.name} nor the provider has one)"
        raise ApiError(message)
    record = project(request.contents, name)
    service = request.kind.service
    if service and request.contents.leases.get(_pool(name), {}).get(service, "enabled") != "enabled":
        raise ApiError(_disabled(request.kind.label, service, str(record.state["number"])))


def _disabled(label: str, service: str, digits: str) -> str:
    title = _TITLES.get(service, service)
    return (
        f"Error with {label}: googleapi: Error 403: {title} has not been used in project {digits} before or"
        f" it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/{service}/overview?project="
        f"{digits} then retry., accessNotConfigured (SERVICE_DISABLED)"
    )


def _pool(name: str) -> str:
    return f"services of {name}"


def _plan_service(plan: Plan) -> None:
    """Remember that a configuration wants the API: until it is enabled, the API is off."""
    name, service = plan.state.get("project"), plan.state.get("service")
    if plan.prior is not None or not isinstance(name, str) or not isinstance(service, str):
        return
    if service not in _ENABLED_BY_DEFAULT:
        with plan.cloud.open() as contents:
            contents.leases.setdefault(_pool(name), {}).setdefault(service, "planned")


def _enable(request: Request) -> None:
    request.contents.leases.setdefault(_pool(request.text("project")), {})[request.text("service")] = (
        "enabled"
    )


def _disable(request: Request) -> None:
    if request.text("service") not in _ENABLED_BY_DEFAULT:
        request.contents.leases.setdefault(_pool(request.text("project")), {})[request.text("service")] = (
            "disabled"
        )


def leaves_on(request: Request) -> bool:
    """Whether an API stays on although its resource goes: from then on, it is the project's own.

    So one that was enabled a second time, before the first resource for it went, is still there.
    """
    stays = request.kind.name == SERVICE and request.state.get("disable_on_destroy") is False
    if stays:
        request.record.builtin = True
    return stays


def _read_client(_contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
    """Who Terraform runs as, and where by default."""
    place = {name: config.get(name) or "" for name in ("project", "region", "zone")}
    identity = "/".join(f'{kind}s/"{name}"' for kind, name in place.items())
    return {**place, "id": identity, "access_token": "simulated", "default_labels": {}}


def _read_project(contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
    name = config.get("project_id") or config.get("project")
    if not isinstance(name, str):
        message = "Error: project_id: required field is not set"
        raise ApiError(message)
    record = project(contents, name)
    return {
        **record.state,
        "id": record.id,
        "auto_create_network": True,
        "labels": {},
        "deletion_policy": "PREVENT",
    }


RESOURCES = (
    ResourceType(
        SERVICE,
        "Project Service",
        "{project}/{service}",
        known(SERVICE),
        planned=[_plan_service],
        created=[_enable],
        deleting=[_disable],
        delay=0.15,
        shared=True,
    ),
)
DATA_SOURCES = (
    DataSource("google_client_config", _read_client),
    DataSource("google_project", _read_project),
)
