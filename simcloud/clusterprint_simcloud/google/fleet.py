"""Fleets and what they enforce: memberships, features, binary authorization."""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google.attributes import CREATED
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.gke.places import CLUSTER
from clusterprint_simcloud.values import Path

MEMBERSHIP = "google_gke_hub_membership"
FLEET = "google_gke_hub_fleet"
FEATURE = "google_gke_hub_feature"
POLICY = "google_binary_authorization_policy"
_LINK = "endpoint.gke_cluster.resource_link"


def _cluster() -> Reference:
    """A cluster by its full resource name, or by its id."""

    def path(value: str) -> str:
        return value.removeprefix("//container.googleapis.com/").removeprefix("https:").removeprefix("/")

    def found(request: Request, value: str) -> Record | None:
        return request.contents.get(CLUSTER, path(value))

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return f"googleapi: Error 400: the cluster '{value}' was not found., badRequest"

    return Reference(_LINK, found, missing, lambda a, b: path(a) == path(b), holds=False)


def _feature(request: Request) -> str:
    place = f"projects/{request.text('project')}/locations/{request.text('location')}"
    return f"{place}/features/{request.text('name')}"


def _state(_request: Request, _path: Path) -> list[dict[str, str]]:
    return [{"code": "READY"}]


RESOURCES = (
    ResourceType(
        MEMBERSHIP,
        "Membership",
        "projects/{project}/locations/{location}/memberships/{membership_id}",
        known(MEMBERSHIP),
        computed={"name": "projects/{project}/locations/{location}/memberships/{membership_id}"},
        references=[_cluster()],
        service="gkehub.googleapis.com",
    ),
    ResourceType(
        FLEET,
        "Fleet",
        "projects/{project}/locations/global/fleets/default",
        known(FLEET),
        computed={"state": _state, "create_time": CREATED, "update_time": CREATED, "delete_time": ""},
        service="gkehub.googleapis.com",
    ),
    ResourceType(
        FEATURE,
        "Feature",
        _feature,
        known(FEATURE),
        computed={"create_time": CREATED, "update_time": CREATED, "delete_time": ""},
        service="gkehub.googleapis.com",
    ),
    ResourceType(
        POLICY,
        "Policy",
        "projects/{project}",
        known(POLICY),
        computed={"global_policy_evaluation_mode": "ENABLE"},
        service="binaryauthorization.googleapis.com",
        shared=True,  # every project has one from the start, which this one takes the place of
    ),
)
