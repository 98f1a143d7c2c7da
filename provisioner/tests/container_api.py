"""A stand-in for the container API: node pools that take their time, zones without machines, and worse."""

import json
from collections.abc import Callable
from typing import Any

_PERMISSIONS = {
    ("GET", "nodePools"): "container.clusters.get",
    ("POST", "nodePools"): "container.clusters.update",
    ("DELETE", "nodePools"): "container.clusters.update",
    ("GET", "operations"): "container.operations.list",
}
STOCK_OUT = "[GCE_STOCKOUT] Instance creation failed: the zone does not have enough resources available"


class ContainerApi:
    """Node pools and operations of one cluster. An operation takes `delay` seconds of `clock`."""

    def __init__(self, clock: Callable[[], float], permissions: set[str] | None = None) -> None:
        self.delay = 60.0
        self.permissions = permissions
        self.calls: list[tuple[str, str]] = []
        self.created: list[dict[str, Any]] = []
        self.deleted: list[str] = []
        #: What creating a pool fails with, by what is asked for: leaves a pool in error, or none at all.
        self.fails: Callable[[dict[str, Any]], str] = lambda _pool: ""
        self.leaves_pool = True
        #: What the request itself is refused with: status and message.
        self.refuses: Callable[[str, str], tuple[int, str] | None] = lambda _method, _path: None
        self.on_running: Callable[[dict[str, Any]], None] = lambda _pool: None
        self.on_gone: Callable[[dict[str, Any]], None] = lambda _pool: None
        self.pools: dict[str, dict[str, Any]] = {}
        self.operations: list[dict[str, Any]] = []
        self._clock = clock

    def __call__(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        """One request."""
        self.calls.append((method, path))
        self._advance()
        name = path.rpartition("/")[2]
        collection = "operations" if path.endswith("/operations") else "nodePools"
        if self.permissions is not None and _PERMISSIONS[method, collection] not in self.permissions:
            return self._no(403, f"Required {_PERMISSIONS[method, collection]!r} permission")
        if refused := self.refuses(method, path):
            return self._no(*refused)
        if method == "GET":
            found = self.operations if collection == "operations" else list(self.pools.values())
            return 200, json.dumps({collection: found} if found else {}).encode()
        if method == "POST":
            assert body is not None
            return self._create(json.loads(body)["nodePool"])
        return self._delete(name)

    def own(self, pool: dict[str, Any]) -> None:
        """A pool that somebody else made."""
        self.pools[pool["name"]] = {"status": "RUNNING", **pool}

    def _create(self, pool: dict[str, Any]) -> tuple[int, bytes]:
        name = pool["name"]
        if name in self.pools:
            return self._no(409, f"Already exists: node pool {name}")
        assert len(name) <= 40
        self.created.append(pool)
        self.pools[name] = {**pool, "status": "PROVISIONING"}
        return self._start("CREATE_NODE_POOL", name)

    def _delete(self, name: str) -> tuple[int, bytes]:
        if name not in self.pools:
            return self._no(404, f"Not found: node pool {name}")
        if self.pools[name]["status"] == "PROVISIONING":
            return self._no(400, "Cluster is running incompatible operation")
        self.deleted.append(name)
        self.pools[name]["status"] = "STOPPING"
        return self._start("DELETE_NODE_POOL", name)

    def _start(self, type_: str, name: str) -> tuple[int, bytes]:
        operation = {
            "name": f"operation-{len(self.operations):06}",
            "operationType": type_,
            "status": "RUNNING",
            "targetLink": f"https://container.googleapis.com/v1/projects/1/locations/l/clusters/c/nodePools/{name}",
            "startTime": f"{len(self.operations):06}",
            "ends": self._clock() + self.delay,
        }
        self.operations.append(operation)
        return 200, json.dumps(operation).encode()

    def _advance(self) -> None:
        for operation in self.operations:
            if operation["status"] == "RUNNING" and operation["ends"] <= self._clock():
                operation["status"] = "DONE"
                self._end(operation)

    def _end(self, operation: dict[str, Any]) -> None:
        name = operation["targetLink"].rpartition("/")[2]
        pool = self.pools[name]
        if operation["operationType"] == "DELETE_NODE_POOL":
            self.on_gone(self.pools.pop(name))
        elif failure := self.fails(pool):
            operation["error"] = {"code": 8, "message": failure}
            pool |= {"status": "ERROR", "statusMessage": failure}
            if not self.leaves_pool:
                del self.pools[name]
        else:
            pool["status"] = "RUNNING"
            self.on_running(pool)

    def _no(self, status: int, message: str) -> tuple[int, bytes]:
        return status, json.dumps({"error": {"code": status, "message": message}}).encode()
