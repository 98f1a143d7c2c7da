"""The plan of models behind a gateway."""

from typing import Literal

from clusterprint.plan.kubernetes import ChartPlan
from clusterprint.plan.part import PlanPart


class GatewayPlan(PlanPart, frozen=True, kw_only=True):
    """A load balancer of GKE; only routes of `namespaces` lead on from it.

    With a `certificate` it speaks HTTPS.
    """

    name: str
    namespace: str
    gateway_class: Literal["gke-l7-rilb", "gke-l7-regional-external-managed"]
    port: int
    certificate: str
    namespaces: tuple[str, ...]


class HealthPlan(PlanPart, frozen=True, kw_only=True):
    """When a pod gets requests: as long as it answers at `path`, at a `port` unless that is 0."""

    path: str
    port: int
    seconds: int


class ModelPlan(PlanPart, frozen=True, kw_only=True):
    """A model: what chooses among its pods, and the route to them.

    With `chooser` the route leads to the pool of its name, which that chart makes, otherwise to `service` at
    `port`. Route and objectives are one `release`.
    The numbers of `objectives` are priorities.
    """

    key: str
    name: str
    release: str
    namespace: str
    chooser: ChartPlan | None
    service: str
    port: int
    hosts: tuple[str, ...]
    path: str
    health: HealthPlan
    timeout_seconds: int
    objectives: dict[str, int]


class InferencePlan(PlanPart, frozen=True, kw_only=True):
    """A gateway, and the models behind it, which may have objectives."""

    gateway: GatewayPlan
    objectives: bool
    models: tuple[ModelPlan, ...]
