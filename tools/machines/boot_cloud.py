"""What Google gives to machines, over HTTP: the metadata server, buckets, the list of machines.

All machines speak to one address; which of them asks is seen by where it asks from. Google's names lead here
by /etc/hosts, with certificates of an authority that the image trusts.
"""

import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from nodes import identity

PROJECT = "my-gpu-project"
ZONE = "us-central1-a"
#: The managed group of all machines.
GROUP = "bench-nodes"
ADDRESS = "169.254.169.254"
#: The names by which steps call Google.
NAMES = ("storage.googleapis.com", "compute.googleapis.com", "www.googleapis.com")
#: How long the agent's request for changed metadata is held, in seconds.
HOLD = 20


@dataclass
class Instance:
    """A machine, as Compute Engine knows it."""

    name: str
    id: str
    address: str
    attributes: Mapping[str, str]
    running: bool = False
    guest: dict[str, str] = field(default_factory=dict)

    def tree(self) -> dict[str, Any]:
        """What is below instance/ of the metadata server."""
        interface = {"ip": self.address, "subnetmask": "255.255.255.0", "mac": "", "accessConfigs": []}
        return {
            "id": int(self.id),
            "name": self.name,
            "hostname": f"{self.name}.{ZONE}.c.{PROJECT}.internal",
            "zone": f"projects/1/zones/{ZONE}",
            "attributes": dict(self.attributes),
            "networkInterfaces": [interface],
            "virtualClock": {"driftToken": "0"},
        }


@dataclass
class World:
    """The project: its machines by address, and the objects of its buckets."""

    instances: dict[str, Instance] = field(default_factory=dict)
    objects: dict[tuple[str, str], bytes] = field(default_factory=dict)
    down: bool = False
    #: Switches a machine on or off, by its name.
    switch: Callable[[str, bool], None] = lambda _name, _on: None
    #: Requests whose address contains this get no answer, and `held` says that one waits.
    hold: str = ""
    held: threading.Event = field(default_factory=threading.Event)


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def __init__(self, world: World, *arguments: Any) -> None:
        self.world = world
        super().__init__(*arguments)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the log of the machine says what was asked."""

    def do_GET(self) -> None:
        """Answer what is there."""
        url = urlsplit(self.path)
        query = {key: values[-1] for key, values in parse_qs(url.query).items()}
        host = (self.headers["Host"] or "").partition(":")[0]
        while self.world.hold and self.world.hold in host + self.path:
            self.world.held.set()
            time.sleep(0.1)
        if self.world.down and host in NAMES:
            self._send(503, b"")
        elif host == "storage.googleapis.com":
            bucket, _, name = url.path.removeprefix("/storage/v1/b/").partition("/o/")
            self._found(self.world.objects.get((bucket, unquote(name))))
        elif host == "compute.googleapis.com":
            self._compute(url.path)
        elif host == "www.googleapis.com":
            self._send(200, identity.certificates(identity.signer()).encode())
        else:
            self._metadata(unquote(url.path.removeprefix("/computeMetadata/v1/")), query)

    def do_PUT(self) -> None:
        """Keep a guest attribute."""
        text = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        mine = self._instance()
        if not mine or mine.attributes.get("enable-guest-attributes") != "TRUE":
            self._send(403, b"")
            return
        mine.guest[self.path.partition("/guest-attributes/")[2]] = text
        self._send(200, b"")

    def do_POST(self) -> None:
        """Stop or start machines, as their group does: soon, and only if all of them can be."""
        wanted = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)))["instances"]
        names = {each.rpartition("/")[2] for each in wanted}
        on = self.path.endswith(f"/{GROUP}/startInstances")
        found = [each for each in self.world.instances.values() if each.name in names and each.running != on]
        if len(found) != len(names) or not (on or self.path.endswith(f"/{GROUP}/stopInstances")):
            self._send(400, b"")
            return
        for name in names:
            threading.Thread(target=self.world.switch, args=(name, on), daemon=True).start()
        self._json({"status": "DONE"})

    def _metadata(self, path: str, query: dict[str, str]) -> None:
        mine = self._instance()
        if mine is None or self.headers["Metadata-Flavor"] != "Google":
            self._send(403, b"")
            return
        if query.get("wait_for_change") == "true" and query.get("last_etag") == "1":
            time.sleep(HOLD)
        if path.endswith("/token"):
            self._json({"access_token": "t-1", "expires_in": 3599, "token_type": "Bearer"})
        elif path.endswith("/identity"):
            digest = query["audience"]
            self._send(
                200, identity.token("", (mine.id, mine.name, ZONE), aud=digest, project=PROJECT).encode()
            )
        else:
            tree: Any = {"instance": mine.tree(), "project": {"projectId": PROJECT, "attributes": {}}}
            self._below(tree, path, recursive=query.get("recursive", "").lower() == "true")

    def _below(self, tree: Any, path: str, *, recursive: bool) -> None:
        for word in filter(None, path.split("/")):
            if isinstance(tree, list) and word.isdigit():
                tree = tree[int(word)]
                continue
            first, *others = word.split("-")
            camel = first + "".join(other.title() for other in others)
            if not isinstance(tree, dict) or not {word, camel} & tree.keys():
                self._send(404, b"")
                return
            tree = tree[word] if word in tree else tree[camel]
        if recursive:
            self._json(tree)
        else:
            self._send(200, (str(tree) if not isinstance(tree, dict) else "\n".join(tree)).encode())

    def _compute(self, path: str) -> None:
        if path.endswith("/getGuestAttributes"):
            name = path.split("/")[-2]
            said = next((m.guest for m in self.world.instances.values() if m.running and m.name == name), {})
            value = said.get("clusterprint/node")
            if value is None:
                self._send(404, b"")
            else:
                self._json(
                    {"queryValue": {"items": [{"namespace": "clusterprint", "key": "node", "value": value}]}}
                )
            return
        if "/instances/" in path:
            made = f"projects/1/zones/{ZONE}/instanceGroupManagers/{GROUP}"
            self._json({"metadata": {"items": [{"key": "created-by", "value": made}]}})
            return
        zone = f"https://www.googleapis.com/compute/v1/projects/{PROJECT}/zones/{ZONE}"
        running = [
            {
                "id": each.id,
                "name": each.name,
                "zone": zone,
                "networkInterfaces": [{"networkIP": each.address}],
            }
            for each in self.world.instances.values()
            if each.running
        ]
        self._json({"items": {f"zones/{ZONE}": {"instances": running}}})

    def _instance(self) -> Instance | None:
        return self.world.instances.get(self.client_address[0])

    def _found(self, content: bytes | None) -> None:
        self._send(404 if content is None else 200, content or b"")

    def _json(self, content: Any) -> None:
        self._send(200, json.dumps(content).encode())

    def _send(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Metadata-Flavor", "Google")
        self.send_header("ETag", "1")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A machine whose power was cut does not wait for its answer."""


def serve(world: World, certificate: Path, key: Path) -> None:
    """Answer for the world in threads, until this process ends."""
    identity.signer()  # made once, before several threads ask for it
    plain = _Server((ADDRESS, 80), partial(_Handler, world))
    secure = _Server((ADDRESS, 443), partial(_Handler, world))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    for each in (plain, secure):
        threading.Thread(target=each.serve_forever, daemon=True).start()
