"""The APIs' HTTP side: a proxy on a port of this machine that answers for every host of Google."""

from __future__ import annotations

import json
import os
import ssl
import tempfile
import threading
from pathlib import Path
from typing import Self

from clusterprint_simcloud.api import gcloud
from clusterprint_simcloud.api.apis import Apis
from clusterprint_simcloud.api.authority import Authority
from clusterprint_simcloud.http_server import Handler, Server


class ServedApis(Apis):
    """Google's APIs on a free port of this machine; a context manager.

    `environment` is what a provider, or Terraform, has to be started with.
    """

    environment: dict[str, str]

    def __enter__(self) -> Self:
        self._scratch = tempfile.TemporaryDirectory(prefix="apis-")
        folder = Path(self._scratch.name)
        authority = Authority(folder)
        handler = type("Handler", (_Handler,), {"apis": self, "authority": authority})
        self._server = Server(handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        url = self._server.url
        self.environment = {
            "HTTPS_PROXY": url,
            "NO_PROXY": "127.0.0.1,localhost",
            "SSL_CERT_FILE": str(authority.certificate),
            "GOOGLE_OAUTH_ACCESS_TOKEN": "nobody",
            "PATH": f"{gcloud.write(folder)}{os.pathsep}{os.environ['PATH']}",
            gcloud.ADDRESS: url,
        }
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._scratch.cleanup()


class _Handler(Handler):
    apis: Apis
    authority: Authority
    host = ""

    def do_CONNECT(self) -> None:  # noqa: N802  (http.server looks for it)
        """From here on the client speaks TLS, to the host that it names."""
        self.host = self.path.partition(":")[0]
        self.send_response(200)
        self.end_headers()
        context: ssl.SSLContext = self.authority.context(self.host)
        self.connection = context.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb", -1)
        self.wfile = self.connection.makefile("wb", 0)
        self.close_connection = False

    def finish(self) -> None:
        """Ends what the proxy has wrapped in TLS, too: the server knows only the socket beneath."""
        super().finish()
        self.connection.close()

    def _handle(self) -> None:
        url = f"https://{self.host}{self.path}" if self.host else self.path
        status, document = self.apis.answer(
            self.command, url, self.body(), self.headers.get("Content-Type", "")
        )
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle  # noqa: N815  (http.server looks for these)
