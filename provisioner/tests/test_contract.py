"""Behaviour of API servers that the provisioner relies on: the stand-in, and a real one with KUBECONFIG.

The real one has to be made for this, which kwok is the sign of: a namespace, a node and a webhook without
rules are made in it and deleted again.
"""

import datetime as dt
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lab import Lab
from servers import DEFAULT_LOCATION, Servers, kubeconfig

from clusterprint_provisioner import kube as kube_
from clusterprint_provisioner import transports
from clusterprint_provisioner.actions import Tell
from clusterprint_provisioner.election import Elector
from clusterprint_provisioner.identity import Identity
from clusterprint_provisioner.kube import JOBS, NODES, ApiError, Kubernetes
from clusterprint_provisioner.objects import Node
from clusterprint_provisioner.records import Record
from clusterprint_provisioner.rotation import OwnCertificate
from clusterprint_provisioner.watching import Copy
from clusterprint_provisioner.webhook import Places

HOOKS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
KWOK = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/stages.kwok.x-k8s.io"
REAL = os.environ.get("KUBECONFIG", "")


@pytest.fixture(params=["stand-in", pytest.param("real", marks=pytest.mark.real_api)])
def cluster(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Kubernetes]:
    """An API server with a namespace for one test."""
    servers = None
    if request.param == "real":
        if not REAL:
            pytest.skip("needs an API server: KUBECONFIG is not set")
        monkeypatch.setattr(DEFAULT_LOCATION, REAL)
    else:
        servers = Servers(Lab())
        monkeypatch.setattr(DEFAULT_LOCATION, kubeconfig(tmp_path / "config", servers.cluster))
    made = Kubernetes(transports.ClusterTransport(), f"slice-provisioner-test-{uuid.uuid4().hex[:8]}")
    if not servers:
        _must_be_for_tests(made)
    made.ask("POST", "/api/v1/namespaces", body={"metadata": {"name": made.namespace}})
    yield made
    made.ask("DELETE", f"/api/v1/namespaces/{made.namespace}")
    if servers:
        servers.close()


def _must_be_for_tests(kube: Kubernetes) -> None:
    try:
        kube.ask("GET", KWOK)
    except ApiError as error:
        pytest.skip(f"the cluster of KUBECONFIG shows no sign of kwok, so it may be somebody's: {error}")


def make_job(kube: Kubernetes, name: str) -> None:
    """A job that never starts."""
    spec = {"containers": [{"name": "c", "image": "example.com/none"}], "restartPolicy": "Never"}
    body = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name},
        "spec": {"suspend": True, "parallelism": 3, "template": {"spec": spec}},
    }
    kube.ask("POST", f"/apis/batch/v1/namespaces/{kube.namespace}/jobs", body=body)


def jobs(kube: Kubernetes, copy: Copy[Any]) -> dict[str, int]:
    """The test's own jobs in a copy, with how many pods each is to have."""
    mine = [each for each in copy.items() if each.metadata.namespace == kube.namespace]
    return {each.metadata.name: each.spec.parallelism for each in mine}


def test_lists_come_in_pages_and_watches_go_on_from_there(
    cluster: Kubernetes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kube_, "_PAGE", "2")
    for name in ("a", "b", "c", "d", "e"):
        make_job(cluster, name)
    copy = Copy(cluster, JOBS, lambda: None)
    copy.refresh()
    assert jobs(cluster, copy) == dict.fromkeys("abcde", 3)
    make_job(cluster, "f")
    path = f"/apis/batch/v1/namespaces/{cluster.namespace}/jobs/a"
    cluster.ask(
        "PATCH",
        path,
        body={"spec": {"parallelism": 7}},
        headers={"Content-Type": "application/merge-patch+json"},
    )
    cluster.ask("DELETE", f"{path[:-1]}b", {"propagationPolicy": "Background"})
    copy.follow(seconds=2)
    assert jobs(cluster, copy) == {"a": 7, "c": 3, "d": 3, "e": 3, "f": 3}


def test_of_nodes_only_the_metadata_comes(cluster: Kubernetes) -> None:
    name = f"{cluster.namespace}-node"
    labels = {"cloud.google.com/gke-nodepool": "pool"}
    cluster.ask("POST", "/api/v1/nodes", body={"metadata": {"name": name, "labels": labels}, "spec": {}})
    try:
        found, version = cluster.list(NODES)
        assert name in {each.metadata.name for each in found}
        assert version
    finally:
        cluster.ask("DELETE", f"/api/v1/nodes/{name}")


def test_a_kind_that_is_not_known_is_not_there(cluster: Kubernetes) -> None:
    with pytest.raises(ApiError) as refused:
        cluster.ask("GET", "/apis/none.clusterprint.example/v1/none")
    assert refused.value.status == 404


def test_one_of_two_has_the_lease(cluster: Kubernetes) -> None:
    clock = [0.0]
    one, other = (Elector(cluster, name, lambda: clock[0]) for name in ("one", "other"))
    assert one.try_once()
    assert not other.try_once()
    assert one.try_once()
    one.give_up()
    assert other.try_once()
    assert not one.try_once()


def test_records_are_kept_and_forgotten(cluster: Kubernetes) -> None:
    assert cluster.records() == {}
    record = Record(
        reason="StockOut", message="none left", failures=2, offer=1, until=1.0, pause=30.0, handled="op"
    )
    cluster.remember("one", record)
    cluster.remember("other", record)
    cluster.remember("one", None)
    assert cluster.records() == {"other": record}


def test_an_event_is_there_once_however_often_it_is_told(cluster: Kubernetes) -> None:
    identity = Identity("job", cluster.namespace, "train", "uid", "train")
    told = Tell(identity, "NodePoolStockOut", "there are none", "key", warning=True)
    for _ in range(2):
        cluster.tell(told, "0123456789abcdef", dt.datetime.now(dt.UTC))
    events, _ = cluster.list(kube_.Resource(f"/api/v1/namespaces/{cluster.namespace}/events", Node))
    assert [each.metadata.name for each in events] == ["train.0123456789abcdef"]


def test_the_webhook_is_trusted(cluster: Kubernetes) -> None:
    secrets, name = f"/api/v1/namespaces/{cluster.namespace}/secrets", f"{cluster.namespace}.example.com"
    cluster.ask("POST", secrets, body={"metadata": {"name": "certificate"}, "type": "Opaque"})
    hook = {
        "name": name,
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Ignore",
        "clientConfig": {"service": {"name": "none", "namespace": cluster.namespace}},
        "rules": [],
    }
    cluster.ask("POST", HOOKS, body={"metadata": {"name": name}, "webhooks": [hook]})
    try:
        now = dt.datetime.now(dt.UTC)
        places = Places("certificate", name, f"none.{cluster.namespace}.svc")
        own = OwnCertificate(cluster, places, lambda: now)
        own.refresh()
        first = cluster.ask("GET", f"{HOOKS}/{name}")
        assert b'"caBundle"' in first
        own.refresh()
        assert cluster.ask("GET", f"{HOOKS}/{name}") == first, "nothing was due"
    finally:
        cluster.ask("DELETE", f"{HOOKS}/{name}")
