"""Numbers for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from clusterprint_provisioner.world import World

_STATUSES = ("PROVISIONING", "RUNNING", "RUNNING_WITH_ERROR", "STOPPING", "RECONCILING", "ERROR")


class Metrics:
    """Counters of actions and failures, and gauges of pools and jobs."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._created = self._counter("created", "Node pools whose creation was requested.")
        self._deleted = self._counter("deleted", "Node pools whose deletion was requested.")
        self._failed = Counter(
            "slice_provisioner_pool_failures",
            "Node pools that could not be created.",
            ["reason"],
            registry=self._registry,
        )
        self._pools = Gauge(
            "slice_provisioner_pools",
            "Node pools of the slice provisioner.",
            ["status"],
            registry=self._registry,
        )
        self._chips = Gauge(
            "slice_provisioner_chips",
            "Chips in node pools of the slice provisioner.",
            ["namespace"],
            registry=self._registry,
        )

    def created(self) -> None:
        """A pool was asked for."""
        self._created.inc()

    def deleted(self) -> None:
        """The deletion of a pool was asked for."""
        self._deleted.inc()

    def failed(self, reason: str) -> None:
        """A pool could not be made."""
        self._failed.labels(reason).inc()

    def observe(self, world: World) -> None:
        """Set the gauges."""
        statuses = [world.pools[name].status for name in world.owned]
        for status in _STATUSES:
            self._pools.labels(status).set(statuses.count(status))
        self._chips.clear()
        for name, identity in world.owned.items():
            self._chips.labels(identity.namespace).inc(world.pools[name].chips)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry)

    def _counter(self, done: str, text: str) -> Counter:
        return Counter(f"slice_provisioner_pools_{done}", text, registry=self._registry)
