"""Both stand-ins as servers, and a kubeconfig that leads to one."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from lab import Lab

from clusterprint_provisioner.kube import ApiError

TOKEN = "a-token-of-a-pod"  # noqa: S105 - made up
#: Where the library looks, which it decides when it is loaded.
DEFAULT_LOCATION = "kubernetes.config.kube_config.KUBE_CONFIG_DEFAULT_LOCATION"


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


def kubeconfig(file: Path, server: ThreadingHTTPServer) -> str:
    """Write a kubeconfig for a server; its path."""
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": Servers.url(server)}}],
        "users": [{"name": "u", "user": {"token": TOKEN}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    file.write_text(json.dumps(config))
    return str(file)
