"""Workload identities: accounts inside clusters, which the project's pool of identities vouches for."""

from __future__ import annotations

import re

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError, Contents
from clusterprint_simcloud.google.gke.places import CLUSTER
from clusterprint_simcloud.google.scheduling import block

_MEMBER = re.compile(
    r"serviceAccount:(?P<old>[^\[]+\.svc\.id\.goog)\[[^/\]]+/[^/\]]+\]"
    r"|principal(?:Set)?://iam\.googleapis\.com/projects/(?P<number>[^/]+)/locations/global"
    r"/workloadIdentityPools/(?P<new>[^/]+\.svc\.id\.goog)/.+"
)


def check_pool(request: Request) -> None:
    """Refuse members from a pool that is not there: the first cluster with Workload Identity brings it.

    :raises ApiError: when the project is of this cloud, and no cluster in it has the pool.
    """
    match = _MEMBER.fullmatch(request.text("member"))
    if match is None:
        return
    pool = match["old"] or match["new"]
    project = request.contents.get("google_project", f"projects/{pool.removesuffix('.svc.id.goog')}")
    if project is None:
        return
    wrong_number = match["number"] is not None and match["number"] != project.state["number"]
    if wrong_number or not _has_pool(request.contents, pool):
        text = f"Identity Pool does not exist ({pool})."
        message = f"Error {request.kind.label}: googleapi: Error 400: {text}, badRequest"
        raise ApiError(message)


def _has_pool(contents: Contents, pool: str) -> bool:
    return any(
        block(one.state, "workload_identity_config").get("workload_pool") == pool
        for one in contents.of(CLUSTER)
    )
