"""What runs inside a GKE cluster."""

from clusterprint.blueprint.part import Part


class Workloads(Part, frozen=True, kw_only=True):
    """What runs inside the cluster."""
