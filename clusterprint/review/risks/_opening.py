"""A way in, before it is a risk."""

from typing import NamedTuple

from clusterprint.review.model import Severity
from clusterprint.review.risk_names import RiskName


class Opening(NamedTuple):
    """One way in.

    `what` is said after the title of the resource, or after `of`. `hint` is words of the line in the
    blueprint that it comes from, `key` the object of a manifest that it is in.
    """

    name: RiskName
    severity: Severity
    what: str
    help: str = ""
    of: str = ""
    hint: str = ""
    key: str = ""
