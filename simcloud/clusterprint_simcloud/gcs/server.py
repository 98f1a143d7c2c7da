"""The emulator's HTTP side: a server on a port of this machine, which asks the service."""

from __future__ import annotations

import threading
import urllib.parse
from typing import Self

from clusterprint_simcloud.gcs.service import Call, Dropped, Service
from clusterprint_simcloud.gcs.store import Store
from clusterprint_simcloud.http_server import Handler, Server


class _Handler(Handler):
    service: Service

    def _handle(self) -> None:
        parts = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        call = Call(self.command, parts.path, query, self.headers, self.body())
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
        self._server = Server(handler)
        self.url = self._server.url
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
