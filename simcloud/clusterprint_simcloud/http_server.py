"""The common half of the servers that speak HTTP: whole bodies, and silence about clients that go away."""

from __future__ import annotations

import http.server
import ssl
import sys
from typing import Any


class Handler(http.server.BaseHTTPRequestHandler):
    """A handler that keeps connections open and prints nothing: the requests are kept elsewhere."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def body(self) -> bytes:
        """The body of the request. Raises ConnectionError for one that ends early: no cloud keeps a part."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self._exactly(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := self._chunk_size():
            body += self._exactly(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _chunk_size(self) -> int:
        line = self.rfile.readline()
        if not line:
            raise ConnectionError
        return int(line.split(b";")[0], 16)

    def _exactly(self, size: int) -> bytes:
        body = self.rfile.read(size)
        if len(body) < size:
            raise ConnectionError
        return body


class Server(http.server.ThreadingHTTPServer):
    """A server with a thread for each connection, on a free port of this machine."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, handler: type[Handler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Terraform ends without closing its idle connections: nobody needs to read about that."""
        if not isinstance(sys.exc_info()[1], ConnectionError | ssl.SSLError):
            super().handle_error(request, client_address)
