"""The slice provisioner with the rights that a blueprint gives it: they suffice, and none is too many."""

import json
from contextlib import suppress
from typing import Any

import pytest
from api_server import Right
from container_api import STOCK_OUT
from lab import HOME, Lab
from support import ROOT

from clusterprint_provisioner import serving
from clusterprint_provisioner.container import CloudError
from clusterprint_provisioner.election import Elector
from clusterprint_provisioner.kube import ApiError, Kubernetes

STACKS = json.loads((ROOT / "tests/goldens/slice-provisioner.tf.json").read_text("utf-8"))


def resources(type_: str) -> list[dict[str, Any]]:
    """All resources of a type, in all stacks of the golden."""
    return [each for stack in STACKS.values() for each in stack["resource"].get(type_, {}).values()]


def granted() -> list[Right]:
    """What the account may do in the cluster."""
    (everywhere,) = resources("kubernetes_cluster_role_v1")
    (home,) = resources("kubernetes_role_v1")
    rules = [(rule, "") for rule in everywhere["rule"]]
    rules += [(rule, home["metadata"]["namespace"]) for rule in home["rule"]]
    return [
        Right(group, [resource], [verb], namespace)
        for rule, namespace in rules
        for group in rule["api_groups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    ]


def permissions() -> set[str]:
    """What its account at Google may do."""
    (role,) = resources("google_project_iam_custom_role")
    return set(role["permissions"])


def live(rights: list[Right], allowed: set[str]) -> Lab:
    """All that it ever does, as far as it gets: lead, watch, fail, try again, tell, delete, serve metrics."""
    lab = Lab({"GCP_ZONE": "us-east5-a,us-east5-b"}, rights=rights, permissions=allowed)
    lab.cloud.fails = lambda pool: STOCK_OUT if pool["locations"] == ["us-east5-a"] else ""
    lab.jobset("train")
    with suppress(ApiError, CloudError):
        lab.run(300, step=10)
    lab.end("train")
    with suppress(ApiError, CloudError):
        lab.run(150, step=10)
    kube = Kubernetes(lab.api, HOME)
    clock = iter(range(100))
    elector = Elector(kube, "me", lambda: float(next(clock)))
    elector.try_once()
    elector.try_once()
    lab.api.tokens = {"token": ("prometheus", True)}
    serving.metrics(kube, lambda: b"")("/metrics", "Bearer token")
    return lab


def test_they_suffice() -> None:
    lab = live(granted(), permissions())
    assert lab.api.denied == []
    assert len(lab.cloud.created) == 2
    assert lab.pools() == []
    assert {"NodePoolStockOut", "NodePoolCreationSucceeded", "NodePoolDeletionStarted"} <= set(lab.events())
    assert "NodePoolForbidden" not in lab.events()


@pytest.mark.parametrize("without", granted(), ids=lambda right: f"{right.verbs[0]} {right.resources[0]}")
def test_no_right_is_too_many(without: Right) -> None:
    """Without any one of them something is denied that it does."""
    rest = [right for right in granted() if right != without]
    assert live(rest, permissions()).api.denied


@pytest.mark.parametrize("without", sorted(permissions()))
def test_no_permission_is_too_many(without: str) -> None:
    assert live(granted(), permissions() - {without}).cloud.deleted == []
