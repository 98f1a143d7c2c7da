"""The words of a policy: single risks, and groups of them."""

from typing import get_args

from clusterprint.review.model import Risk
from clusterprint.review.risk_names import GROUPS, RISKS, RiskName

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
    **{name: meaning for name, (meaning, _) in GROUPS.items()},
    **{name: RISKS[name].meaning for name in get_args(RiskName)},
}


def covers(name: str, risk: Risk) -> bool:
    """Whether a word of a policy is about a risk."""
    return name == risk.name or name in risk.groups or (name in _SORTS and name == risk.sort)
