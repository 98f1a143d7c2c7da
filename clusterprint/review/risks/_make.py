"""How risks are made: about a cluster, its resources, and the line that is behind them."""

from collections.abc import Sequence

from clusterprint.review import changes, ideas
from clusterprint.review.delta import Delta
from clusterprint.review.model import Risk, Severity
from clusterprint.review.risk_names import RISKS, RiskName
from clusterprint.review.scene import Scene


class About:
    """Risks of one cluster."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def risk(
        self,
        name: RiskName,
        severity: Severity,
        message: str,
        deltas: Sequence[Delta] = (),
        help: str = "",
    ) -> Risk:
        """One risk; its line is that of the first resource, or of the cluster's name."""
        return Risk(
            severity=severity,
            sort=RISKS[name].sort,
            name=name,
            message=message,
            help=help,
            cluster=self.scene.name,
            addresses=tuple(each.resource.address for each in deltas),
            place=changes.locate(deltas[0], self.scene) if deltas else changes.top(self.scene),
        )


def why(delta: Delta) -> str:
    """What forces a replacement, in brackets; empty if nothing does."""
    paths = ", ".join(each.path for each in delta.forced)
    return f" (forced by {paths})" if paths and delta.action == "replaced" else ""


def titled(delta: Delta) -> str:
    """A resource in people's words."""
    return ideas.title(delta.resource)


def happens(delta: Delta) -> str:
    """`is replaced` or `is removed`."""
    return "is replaced" if delta.action == "replaced" else "is removed"


def number(count: float, noun: str) -> str:
    """`1 node`, `3 nodes`."""
    return f"{count:g} {noun}{'' if count == 1 else 's'}"
