"""The words of a policy: single risks, and groups of them."""

from typing import get_args

from clusterprint.review.model import Risk
from clusterprint.review.risk_names import RISKS, RiskName

#: Groups that are no sort of harm of their own.
_GROUPS: dict[str, tuple[str, tuple[RiskName, ...]]] = {
    "replacement": (
        "A cluster, pool or network is recreated.",
        ("cluster_replaced", "pool_replaced", "pool_renamed", "network_replaced", "range_in_use"),
    ),
    "removal": (
        "A cluster, pool or node is destroyed, or left behind.",
        (
            "cluster_removed",
            "cluster_orphaned",
            "stack_orphaned",
            "pool_removed",
            "nodes_removed",
            "nodes_moved",
        ),
    ),
}

# Sorts of harm that are a group by themselves.
_SORTS = {
    "data_loss": "Something that holds data is destroyed, files may be overwritten, or Terraform would no "
    "longer find its state.",
    "downtime": "Something that runs is stopped or restarted.",
    "exposure": "Something becomes reachable from outside, or somebody gets more permissions.",
    "protection": "A protection against deletion is removed.",
    "uncertain": "The effect cannot be known without Terraform.",
}

#: Everything that `forbid` and `--allow` can name, and what it means: groups first.
FORBIDDABLE: dict[str, str] = {
    **_SORTS,
    **{name: meaning for name, (meaning, _) in _GROUPS.items()},
    **{name: RISKS[name].meaning for name in get_args(RiskName)},
}


def covers(name: str, risk: Risk) -> bool:
    """Whether a word of a policy is about a risk."""
    if name in _GROUPS:
        return risk.name in _GROUPS[name][1]
    return name == risk.name or (name in _SORTS and name == risk.sort)
