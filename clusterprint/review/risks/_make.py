"""Construction of risks: about a cluster, its resources, and the blueprint's line."""

from collections.abc import Sequence

from clusterprint.review import changes, ideas
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta
from clusterprint.review.model import Place, Risk, Severity
from clusterprint.review.risk_names import RISKS, RiskName, groups_of


class About:
    """Risks of one cluster."""

    def __init__(self, scene: ComparedCluster) -> None:
        self.scene = scene

    def risk(  # noqa: PLR0913 - a risk has that many parts
        self,
        name: RiskName,
        severity: Severity,
        message: str,
        deltas: Sequence[Delta] = (),
        help: str = "",
        *,
        hint: str = "",
        place: Place | None = None,
    ) -> Risk:
        """One risk; its line is that of the first resource, or of the cluster's name.

        `hint` is words of the argument that it is about, where several lines may be behind a change. `place`
        is the line, if it is known.
        """
        return Risk(
            severity=severity,
            sort=RISKS[name].sort,
            name=name,
            groups=groups_of(name),
            message=message,
            help=help,
            cluster=self.scene.name,
            addresses=tuple(each.resource.address for each in deltas),
            place=place
            or (changes.locate(deltas[0], self.scene, hint) if deltas else changes.top(self.scene)),
        )


def why(delta: Delta) -> str:
    """The reason of a replacement, in brackets; empty if there is none."""
    paths = ", ".join(each.path for each in delta.forced)
    return f" (forced by {paths})" if paths and delta.action == "replaced" else ""


def titled(delta: Delta) -> str:
    """A resource in people's words."""
    return ideas.title(delta.resource)


def goes(delta: Delta) -> str:
    """The removal of a resource in words, `disk a is removed`, by its old name."""
    happens = "is replaced" if delta.action == "replaced" else "is removed"
    return f"{ideas.title(delta.before or delta.resource)} {happens}{why(delta)}"
