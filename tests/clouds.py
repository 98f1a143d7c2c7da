"""A stand-in for the clouds' APIs: an HTTP service that answers with what a test says is there."""

import http.server
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

Query = dict[str, list[str]]
Reply = tuple[int, Any]
Handler = Callable[[re.Match[str], Query, Any], Reply]

WHO = "me@example.com"


def missing(what: str) -> Reply:
    """The answer about something that is not there."""
    return 404, {"error": {"message": f"The resource {what} was not found"}}


class Clouds:
    """The resources; tests change them. `asked` are the received calls, in order."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.tokens: tuple[int, Any] = (
            200,
            {"access_token": "t", "expires_in": 3600, "token_type": "Bearer"},
        )
        self.routes: list[tuple[str, re.Pattern[str], Handler]] = []
        self.buckets: dict[str, dict[str, Any]] = {}
        self.bodies: list[Any] = []
        self.on("POST", "/token", lambda *_: self.tokens)
        self.on("GET", "/openidconnect/v1/userinfo", {"email": WHO})
        self.on("GET", r"/storage/storage/v1/b/([^/]+)", self._bucket)
        self.on("POST", "/storage/storage/v1/b", self._make)
        self.on("PATCH", r"/storage/storage/v1/b/([^/]+)", self._change)

    def on(self, method: str, path: str, handler: Handler | Reply | dict[str, Any]) -> None:
        """Answer calls of this path from now on, with what a function says or with the same each time."""
        if not callable(handler):
            reply: Reply = (200, handler) if isinstance(handler, dict) else handler
            handler = lambda *_: reply  # noqa: E731 - a constant as a function
        self.routes.insert(0, (method, re.compile(path), handler))

    def answer(self, method: str, path: str, query: Query, body: Any) -> Reply:
        """The answer to a call."""
        self.asked.append((method, path))
        for verb, pattern, handler in self.routes:
            match = pattern.fullmatch(path)
            if verb == method and match:
                return handler(match, query, body)
        return missing(path)

    def _bucket(self, match: re.Match[str], *_: Any) -> Reply:
        found = self.buckets.get(match[1])
        return (200, found) if found else missing(match[1])

    def _make(self, _: re.Match[str], query: Query, body: Any) -> Reply:
        if body["name"] in self.buckets:
            return 409, {"error": {"message": "Your previous request to create the named bucket succeeded"}}
        self.bodies.append((query, body))
        self.buckets[body["name"]] = body
        return 200, body

    def _change(self, match: re.Match[str], _: Query, body: Any) -> Reply:
        self.bodies.append(body)
        bucket = self.buckets[match[1]]
        for key, value in body.items():
            bucket[key] = {**bucket.get(key, {}), **value} if isinstance(value, dict) else value
        return 200, bucket


@contextmanager
def served(clouds: Clouds) -> Iterator[str]:
    """The address of the service, as long as it runs."""

    class Calls(http.server.BaseHTTPRequestHandler):
        def _do(self) -> None:
            parts = urlsplit(self.path)
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            is_json = self.headers.get("Content-Type", "").startswith("application/json")
            body = json.loads(raw) if raw and is_json else None
            status, data = clouds.answer(self.command, unquote(parts.path), parse_qs(parts.query), body)
            text = data if isinstance(data, bytes) else json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PATCH = _do  # noqa: N815 - the server's own names

        def log_message(self, *_: Any) -> None:
            """Nothing: tests print what they find."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Calls) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def login_file(folder: Path, address: str) -> Path:
    """A login whose tokens the stand-in gives out."""
    file = folder / "login.json"
    login = {
        "type": "external_account_authorized_user",
        "audience": "//stand-in",
        "client_id": "tests",
        "client_secret": "of-tests",
        "refresh_token": "again",
        "token_url": f"{address}/token",
    }
    file.write_text(json.dumps(login))
    return file


def fake(folder: Path, name: str, says: str) -> None:
    """A program that says one thing, whatever it is asked."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\ncat <<'END'\n{says}\nEND\n")
    file.chmod(0o755)


def az_login(folder: Path, token: str) -> None:
    """An `az` that is logged in."""
    later = int(time.time()) + 3600
    fake(folder, "az", json.dumps({"accessToken": token, "expires_on": later, "tokenType": "Bearer"}))
