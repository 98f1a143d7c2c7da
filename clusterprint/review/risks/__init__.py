"""What to think about before merging: one file for each sort of harm, each a walk over the deltas."""

from collections.abc import Iterator, Sequence
from typing import get_args

from clusterprint.review.model import Risk, RiskSort, Severity
from clusterprint.review.scene import Scene

_SEVERITIES: tuple[Severity, ...] = get_args(Severity)
_SORTS: tuple[RiskSort, ...] = get_args(RiskSort)


def risks(scenes: Sequence[Scene]) -> tuple[Risk, ...]:
    """All risks, worst first."""
    found = [risk for scene in scenes for risk in _of(scene)]
    return tuple(sorted(found, key=_order))


def _of(scene: Scene) -> Iterator[Risk]:  # noqa: ARG001
    yield from ()


def _order(risk: Risk) -> tuple[int, int, str, str, str]:
    return (
        _SEVERITIES.index(risk.severity),
        _SORTS.index(risk.sort),
        risk.cluster,
        risk.name,
        risk.message,
    )
