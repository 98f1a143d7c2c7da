"""The slice provisioner with the rights that a blueprint gives it: they suffice, and none is too many."""

import datetime as dt
import json
import re
from contextlib import suppress
from typing import Any

import pytest
from api_server import ApiServer, Right
from container_api import STOCK_OUT
from lab import HOME, Lab
from support import ROOT

from clusterprint_provisioner import rotation, serving, webhook
from clusterprint_provisioner.container import CloudError
from clusterprint_provisioner.election import Elector
from clusterprint_provisioner.kube import ApiError, Kubernetes

STACKS = json.loads((ROOT / "tests/goldens/slice-provisioner.tf.json").read_text("utf-8"))


def resources(type_: str) -> list[dict[str, Any]]:
    """All resources of a type, in all stacks of the golden."""
    return [each for stack in STACKS.values() for each in stack["resource"].get(type_, {}).values()]


def role(type_: str, name: str) -> dict[str, Any]:
    """The role of this name."""
    (found,) = (each for each in resources(type_) if each["metadata"]["name"] == name)
    return found


def granted(name: str = "tpu-provisioner") -> list[Right]:
    """The permissions of the account in the cluster."""
    everywhere, home = (role(type_, name) for type_ in ("kubernetes_cluster_role_v1", "kubernetes_role_v1"))
    rules = [(rule, "") for rule in everywhere["rule"]]
    rules += [(rule, home["metadata"]["namespace"]) for rule in home["rule"]]
    return [
        Right(group, [resource], [verb], namespace, rule.get("resource_names", ()))
        for rule, namespace in rules
        for group in rule["api_groups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    ]


def permissions() -> set[str]:
    """The permissions of its Google account."""
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


def served(rights: list[Right]) -> ApiServer:
    """All that the webhook ever does, as far as it gets, with the golden's Secret and configuration."""
    (settings,) = (
        each["data"] for each in resources("kubernetes_config_map_v1") if "CERTIFICATE_SECRET" in each["data"]
    )
    places = webhook.read(settings).places
    assert places is not None
    api = ApiServer(rights)
    releases = (json.loads(each["values"][0]) for each in resources("helm_release") if "values" in each)
    laid = [each["objects"] for each in releases if "objects" in each]
    (secret,) = (each["secret"] for each in laid if "secret" in each)
    (configuration,) = (each["configuration"] for each in laid if "configuration" in each)
    api.put("/secrets", secret)
    api.put("admissionregistration.k8s.io/mutatingwebhookconfigurations", configuration)
    now = dt.datetime.now(dt.UTC)
    with suppress(ApiError):
        rotation.OwnCertificate(Kubernetes(api, HOME), places, lambda: now).refresh()
    return api


def test_conditions_of_the_webhook_are_boolean_whatever_a_job_has() -> None:
    """A field alone is not, to the API server, which then refuses the whole configuration."""
    (configuration,) = served([]).all("admissionregistration.k8s.io/mutatingwebhookconfigurations")
    conditions = [one for each in configuration["webhooks"] for one in each.get("matchConditions", ())]
    assert len(conditions) == 2
    for one in conditions:
        assert all(" == " in part for part in re.split(r" \|\| | && ", one["expression"])), one
        assert not set("?:!") & set(one["expression"]), one


def test_those_of_the_webhook_suffice() -> None:
    api = served(granted("tpu-provisioner-webhook"))
    assert api.denied == []
    (configuration,) = api.all("admissionregistration.k8s.io/mutatingwebhookconfigurations")
    assert configuration["webhooks"][0]["clientConfig"]["caBundle"]


@pytest.mark.parametrize(
    "without",
    granted("tpu-provisioner-webhook"),
    ids=lambda right: f"{right.verbs[0]} {right.resources[0]}",
)
def test_none_of_the_webhook_is_too_many(without: Right) -> None:
    assert served([each for each in granted("tpu-provisioner-webhook") if each != without]).denied
