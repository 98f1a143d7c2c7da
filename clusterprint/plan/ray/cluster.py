"""The plan of the stack `<name>-cluster` of a Ray cluster: a GKE cluster, and what Ray adds to it."""

from typing import ClassVar

from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.part import PlanPart


class AdmissionPlan(PlanPart, frozen=True, kw_only=True):
    """Which images the cluster runs: those that Cloud Build of the project attests, and the `exempt` ones."""

    cluster: str
    enforce: bool
    attestor: str
    exempt: tuple[str, ...]


class RayClusterPlan(GkeClusterPlan, frozen=True, kw_only=True):
    """A GKE cluster that Ray runs in."""

    module: ClassVar[str] = "ray.cluster"

    admission: AdmissionPlan | None
