"""Artifact Registry: repositories of our own, copies of public ones, and those that look into both."""

from __future__ import annotations

from clusterprint_simcloud.arguments import Argument, adding
from clusterprint_simcloud.cloud.behaviour import Request, ResourceType
from clusterprint_simcloud.google.attributes import CREATED
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.links import link, region_of
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.values import Path

REPOSITORY = "google_artifact_registry_repository"
# What a mode wants to be told.
_CONFIGURATIONS = {
    "REMOTE_REPOSITORY": "remote_repository_config",
    "VIRTUAL_REPOSITORY": "virtual_repository_config",
}


def _check_mode(request: Request) -> None:
    mode = request.text("mode")
    for one, config in _CONFIGURATIONS.items():
        if (one == mode) != bool(request.state.get(config)):
            state = "needs" if one == mode else "does not take"
            raise refusal(request, f"Repository mode {mode} {state} {config}.", "badRequest")


def _check_upstreams(request: Request) -> None:
    """A virtual repository looks into repositories of its own format, by priority."""
    policies = block(request.state, "virtual_repository_config").get("upstream_policies") or []
    ids = [one.get("id") for one in policies]
    if len(ids) != len(set(ids)):
        raise refusal(request, "Upstream policies must have distinct ids.", "badRequest")
    for one in policies:
        found = request.contents.get(REPOSITORY, str(one.get("repository")))
        if found is not None and found.state["format"] != request.text("format"):
            text = f"Upstream '{found.id}' has the format {found.state['format']}"
            raise refusal(request, f"{text}, not {request.text('format')}.", "badRequest")


def _location(request: Request, _path: Path) -> str:
    return region_of(request) or str(request.config.get("region") or "")


RESOURCES = (
    ResourceType(
        REPOSITORY,
        "Repository",
        "projects/{project}/locations/{location}/repositories/{repository_id}",
        adding(
            known(REPOSITORY),
            repository_id=Argument(matches="[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?"),
            format=Argument(
                one_of=["DOCKER", "MAVEN", "NPM", "PYTHON", "APT", "YUM", "GO", "KFP", "GENERIC"]
            ),
        ),
        computed={
            "name": "{repository_id}",
            "location": _location,
            "create_time": CREATED,
            "update_time": CREATED,
        },
        references=[link("virtual_repository_config.upstream_policies.repository", REPOSITORY)],
        service="artifactregistry.googleapis.com",
        checks=[_check_mode, _check_upstreams],
    ),
)
