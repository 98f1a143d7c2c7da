"""The whole program over real connections: both libraries, threads, watches, the Lease."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import google.auth
import pytest
from google.auth.credentials import AnonymousCredentials
from lab import HOME, Lab
from servers import DEFAULT_LOCATION, TOKEN, Servers, kubeconfig
from users import JOBSETS

from clusterprint_provisioner import __main__ as program
from clusterprint_provisioner import transports
from clusterprint_provisioner.container import Container
from clusterprint_provisioner.kube import ApiError, Kubernetes
from clusterprint_provisioner.loop import Pace


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    lab = Lab({"NODE_MIN_LIFESPAN": "10ms", "NODEPOOL_DELETION_DELAY": "0s"})
    lab.api.waits, lab.cloud.delay = True, 0.0
    servers = Servers(lab)
    monkeypatch.setattr(DEFAULT_LOCATION, kubeconfig(tmp_path / "config", servers.cluster))
    monkeypatch.setattr(google.auth, "default", lambda **_: (AnonymousCredentials(), None))  # type: ignore[no-untyped-call]
    yield servers
    servers.close()


def test_a_pool_comes_and_goes(servers: Servers) -> None:
    lab, stop, wake = servers.lab, Event(), Event()
    kube = Kubernetes(transports.ClusterTransport(), HOME)
    cloud = Container(transports.google(f"{servers.url(servers.cloud)}/v1"), lab.settings)
    arguments = ["--leader-elect", "--health-probe-bind-address=127.0.0.1:0", "--metrics-bind-address=0"]
    options = program.options_of().parse_args(arguments)
    pace = Pace(0.02, 0.05, 1.0)
    thread = Thread(
        target=program.run, args=(options, lab.settings, (kube, cloud), stop, wake, pace), daemon=True
    )
    thread.start()
    try:
        lab.jobset("train")
        until(lambda: bool(lab.pools()) and "NodePoolCreationSucceeded" in lab.events(), stop)
        lab.schedule()
        lab.end("train")
        until(lambda: not lab.pools(), stop)
    finally:
        stop.set()
        wake.set()
        thread.join(10)
    assert not thread.is_alive()
    assert servers.tokens == {f"Bearer {TOKEN}"}
    assert len(lab.cloud.created) == len(lab.cloud.deleted) == 1
    said = lab.api.get(JOBSETS, "default", "train")
    assert said is not None
    lease = lab.api.get("coordination.k8s.io/leases", HOME, "slice-provisioner")
    assert lease is not None
    assert lease["spec"]["holderIdentity"] == "", "whoever comes next need not wait"


def test_a_server_that_is_away_is_no_traceback(servers: Servers) -> None:
    kube = Kubernetes(transports.ClusterTransport(), HOME)
    servers.cluster.shutdown()
    servers.cluster.server_close()
    with pytest.raises(ApiError, match="could not reach the API server"):
        kube.records()


def until(is_so: Any, stop: Event) -> None:
    """Wait for it, half a minute on a slow machine, and no longer than it takes."""
    for _ in range(1500):
        if is_so():
            return
        stop.wait(0.02)
    raise AssertionError("it never came")
