"""As much of a Kubernetes API server as the real kubectl wants, to read objects and logs from."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

Object = dict[str, Any]

_PLURALS = {"Pod": "pods", "MPIJob": "mpijobs", "JobSet": "jobsets", "RayJob": "rayjobs"}


class KubernetesApi:
    """Objects that are there, and what containers have printed, by pod and container; `asked` are paths."""

    def __init__(self, *objects: Object, logs: dict[tuple[str, str], str]) -> None:
        self.objects = objects
        self.logs = logs
        self.asked: list[str] = []

    def answer(self, path: str, query: dict[str, str]) -> tuple[int, Object | str]:
        """The object at a path."""
        self.asked.append(path)
        if path == "/version":
            return 200, {"major": "1", "minor": "32", "gitVersion": "v1.32.4"}
        if path == "/api":
            return 200, {"kind": "APIVersions", "versions": ["v1"]}
        if path == "/apis":
            return 200, {"kind": "APIGroupList", "apiVersion": "v1", "groups": list(self._groups())}
        version, _, below = path.split("/", 2)[2].partition("/namespaces/")
        if not below:
            return 200, self._resources(version)
        return self._of_namespace(below.split("/")[1:], query)

    def _groups(self) -> Iterator[Object]:
        for version in dict.fromkeys(each["apiVersion"] for each in self.objects):
            if "/" in version:
                known = {"groupVersion": version, "version": version.split("/")[1]}
                yield {"name": version.split("/")[0], "versions": [known], "preferredVersion": known}

    def _resources(self, version: str) -> Object:
        kinds = dict.fromkeys(each["kind"] for each in self.objects if each["apiVersion"] == version)
        resources = [
            {"name": _PLURALS[kind], "kind": kind, "namespaced": True, "verbs": ["get", "list"]}
            for kind in kinds
        ]
        return {"kind": "APIResourceList", "groupVersion": version, "resources": resources}

    def _of_namespace(self, steps: list[str], query: dict[str, str]) -> tuple[int, Object | str]:
        plural, name, *more = [*steps, ""] if len(steps) == 1 else steps
        alike = [each for each in self.objects if _PLURALS[each["kind"]] == plural]
        if more == ["log"]:
            return 200, self.logs[name, query["container"]]
        if name:
            found = next((each for each in alike if each["metadata"]["name"] == name), None)
            missing = {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404}
            return (200, found) if found else (404, missing | {"message": f'{plural} "{name}" not found'})
        wanted = dict(each.split("=") for each in query.get("labelSelector", "").split(",") if each)
        chosen = [each for each in alike if wanted.items() <= each["metadata"].get("labels", {}).items()]
        return 200, {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": chosen}


@contextmanager
def served(api: KubernetesApi, context: str, folder: Path) -> Iterator[Path]:
    """Serve it on a port of this machine; gives the file that kubectl finds it by, under this context."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(asked.query).items()}
            status, content = api.answer(asked.path, query)
            text = content if isinstance(content, str) else json.dumps(content)
            self.send_response(status)
            kind = "text/plain" if isinstance(content, str) else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}],
            "contexts": [{"name": context, "context": {"cluster": "c"}}],
        }
        file = folder / "kubeconfig"
        file.write_text(json.dumps(config))
        yield file
        server.shutdown()
