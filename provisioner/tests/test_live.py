"""The whole program over real connections: both libraries, threads, watches, the Lease."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import google.auth
import pytest
from google.auth.credentials import AnonymousCredentials
from lab import HOME, Lab
from users import JOBSETS

from clusterprint_provisioner import __main__ as program
from clusterprint_provisioner import transports
from clusterprint_provisioner.container import Container
from clusterprint_provisioner.kube import ApiError, Kubernetes
from clusterprint_provisioner.loop import Pace

TOKEN = "a-token-of-a-pod"  # noqa: S105 - made up


def served(answer: Any) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_all(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            answer(self, self.rfile.read(length) if length else None)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_all  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return server


def write(to: BaseHTTPRequestHandler, status: int, content: bytes) -> None:
    to.send_response(status)
    to.send_header("Content-Length", str(len(content)))
    to.end_headers()
    to.wfile.write(content)


class Servers:
    """Both APIs of a lab, as servers."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.tokens: set[str] = set()
        self.cluster, self.cloud = served(self._cluster), served(self._cloud)

    @staticmethod
    def url(server: ThreadingHTTPServer) -> str:
        """Where a server is."""
        return f"http://127.0.0.1:{server.server_address[1]}"

    def close(self) -> None:
        """End both."""
        self.lab.api.waits = False
        for server in (self.cluster, self.cloud):
            server.shutdown()
            server.server_close()

    def _cluster(self, to: BaseHTTPRequestHandler, body: bytes | None) -> None:
        self.tokens.add(to.headers.get("Authorization", ""))
        url = urlsplit(to.path)
        query, headers = dict(parse_qsl(url.query)), {key.title(): value for key, value in to.headers.items()}
        if query.get("watch") != "true":
            write(to, *self.lab.api.request(to.command, url.path, query, body, headers))
            return
        try:
            lines = self.lab.api.lines(url.path, query, headers)
            to.send_response(200)
            to.send_header("Transfer-Encoding", "chunked")
            to.end_headers()
            for line in lines:
                to.wfile.write(b"%x\r\n%s\r\n" % (len(line) + 1, line + b"\n"))
            to.wfile.write(b"0\r\n\r\n")
        except (ApiError, OSError):
            return

    def _cloud(self, to: BaseHTTPRequestHandler, body: bytes | None) -> None:
        write(to, *self.lab.cloud(to.command, to.path.removeprefix("/v1/"), body))


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    lab = Lab({"NODE_MIN_LIFESPAN": "10ms", "NODEPOOL_DELETION_DELAY": "0s"})
    lab.api.waits, lab.cloud.delay = True, 0.0
    servers = Servers(lab)
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": servers.url(servers.cluster)}}],
        "users": [{"name": "u", "user": {"token": TOKEN}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    (tmp_path / "config").write_text(json.dumps(config))
    monkeypatch.setattr(
        "kubernetes.config.kube_config.KUBE_CONFIG_DEFAULT_LOCATION", str(tmp_path / "config")
    )
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
    with pytest.raises(ApiError, match="not reached"):
        kube.records()


def until(is_so: Any, stop: Event) -> None:
    """Wait for it, half a minute on a slow machine, and no longer than it takes."""
    for _ in range(1500):
        if is_so():
            return
        stop.wait(0.02)
    raise AssertionError("it never came")
