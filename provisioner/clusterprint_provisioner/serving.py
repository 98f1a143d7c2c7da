"""Health endpoints and metrics, for those whom the cluster lets read them."""

import json
import logging
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from clusterprint_provisioner.kube import ApiError, Kubernetes

_LOG = logging.getLogger(__name__)
_OK, _NOT_THERE, _NOT_NOW, _WHO, _NO = 200, 404, 503, 401, 403
_Answer = tuple[int, bytes]
_REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews"
_ACCESS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"


class Server(ThreadingHTTPServer):
    """A thread for each connection. One that breaks is no news: whoever asked will ask again."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - the library's
        """The library's place for what a connection fails with."""
        _LOG.info("connection from %s failed: %r", client_address, sys.exc_info()[1])


def serve(address: str, answer: Callable[[str, str], _Answer]) -> Server:
    """Serve at `host:port`, in threads of its own; `answer` gets the path and the authorization."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            status, content = answer(self.path.partition("?")[0], self.headers.get("Authorization", ""))
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Probes come every few seconds: nothing is said of them."""

    host, _, port = address.rpartition(":")
    server = Server((host or "0.0.0.0", int(port)), Handler)  # noqa: S104 - probes come from the node
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def health(is_alive: Callable[[], bool], is_ready: Callable[[], bool]) -> Callable[[str, str], _Answer]:
    """Answers of the two probes."""
    checks = {"/healthz": is_alive, "/readyz": is_ready}

    def answer(path: str, _authorization: str) -> _Answer:
        if path not in checks:
            return _NOT_THERE, b"not found\n"
        return (_OK, b"ok\n") if checks[path]() else (_NOT_NOW, b"unavailable\n")

    return answer


def metrics(kube: Kubernetes, text: Callable[[], bytes]) -> Callable[[str, str], _Answer]:
    """Answers with the metrics: the API server says who asks, and whether they may."""

    def answer(path: str, authorization: str) -> _Answer:
        if path != "/metrics":
            return _NOT_THERE, b"not found\n"
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            return _WHO, b"bearer token required\n"
        try:
            status = _allowed(kube, token)
        except ApiError:
            return _NOT_NOW, b"could not verify the token with the API server\n"
        return (_OK, text()) if status == _OK else (status, b"access denied\n")

    return answer


def _allowed(kube: Kubernetes, token: str) -> int:
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}}
    who = json.loads(kube.ask("POST", _REVIEWS, body=review)).get("status", {})
    if not who.get("authenticated"):
        return _WHO
    user = who.get("user", {})
    access = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {
            "user": user.get("username", ""),
            "groups": user.get("groups", []),
            "nonResourceAttributes": {"path": "/metrics", "verb": "get"},
        },
    }
    said = json.loads(kube.ask("POST", _ACCESS, body=access)).get("status", {})
    return _OK if said.get("allowed") is True else _NO
