"""Risks of a change: one file for each sort of harm, each a walk over the deltas."""

from collections.abc import Callable, Iterator, Sequence
from typing import get_args

from clusterprint.review.compared import ComparedCluster
from clusterprint.review.model import Risk, RiskSort, Severity
from clusterprint.review.order import natural
from clusterprint.review.risks.budget import budget
from clusterprint.review.risks.data_loss import data_loss
from clusterprint.review.risks.delete_rules import delete_rules
from clusterprint.review.risks.exposure import exposure, grants
from clusterprint.review.risks.file_imports import imports
from clusterprint.review.risks.image_family import image_family
from clusterprint.review.risks.node_disks import node_disks
from clusterprint.review.risks.orphans import orphans
from clusterprint.review.risks.other import protection, quota, terraform, uncertain
from clusterprint.review.risks.pools import clusters, networks, pools, ranges, workloads
from clusterprint.review.risks.refused import refused
from clusterprint.review.risks.repair import repair
from clusterprint.review.risks.restarts import restarts
from clusterprint.review.risks.service_ranges import service_ranges

_SEVERITIES: tuple[Severity, ...] = get_args(Severity)
_SORTS: tuple[RiskSort, ...] = get_args(RiskSort)


def risks(scenes: Sequence[ComparedCluster]) -> tuple[Risk, ...]:
    """All risks, worst first."""
    found = [risk for scene in scenes for risk in _of(scene)]
    return tuple(sorted(found, key=_order))


_FINDERS: tuple[Callable[[ComparedCluster], Iterator[Risk]], ...] = (
    data_loss, node_disks, imports, delete_rules, clusters, orphans, networks, ranges, service_ranges, pools,
    restarts, image_family, repair, workloads, exposure, grants, protection, quota, budget, terraform,
    refused, uncertain,
)  # fmt: skip


def _of(scene: ComparedCluster) -> Iterator[Risk]:
    for find in _FINDERS:
        yield from find(scene)


def _order(risk: Risk) -> tuple[object, ...]:
    return (
        _SEVERITIES.index(risk.severity),
        _SORTS.index(risk.sort),
        natural(risk.cluster),
        risk.name,
        natural(risk.message),
    )
