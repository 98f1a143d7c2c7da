"""The emulator's HTTP side: a server on a port of this machine, which asks the service."""

from __future__ import annotations

import http.server
import sys
import threading
import urllib.parse
from typing import Any, Self

from clusterprint_simcloud.gcs.service import Call, Dropped, Service
from clusterprint_simcloud.gcs.store import Store


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: Service

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the store keeps the requests."""

    def _handle(self) -> None:
        parts = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        call = Call(self.command, parts.path, query, self.headers, self._body())
        try:
            answer = self.service.answer(call)
        except Dropped:
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in (answer.headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = _handle  # noqa: N815  (http.server looks for these)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Terraform ends without closing its idle connections: nobody needs to read about that."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Emulator:
    """The emulator on a free port of this machine; a context manager.

    `url` is what `STORAGE_EMULATOR_HOST` takes, `endpoint` what Terraform's backend takes.
    """

    def __init__(self, *buckets: str, store: Store | None = None) -> None:
        self.store = store or Store()
        with self.store.session(changing=True):
            for name in buckets:
                if name not in self.store.buckets:
                    self.store.make_bucket(name, versioning={"enabled": True})
        handler = type("Handler", (_Handler,), {"service": Service(self.store)})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.endpoint = f"{self.url}/storage/v1/"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
