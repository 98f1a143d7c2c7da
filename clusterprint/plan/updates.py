"""Automatic updates of machines, as far as scripts in `clusterprint/nodes/common/` need to know."""

from clusterprint.plan.part import PlanPart


class UpdatesPlan(PlanPart, frozen=True, kw_only=True):
    """Nothing is updated automatically, but with `security` some packages are.

    `calendar` says when, as timers of systemd do, empty for their default; `first` is the first time, in
    seconds since 1970, and `seconds` how long a window is open.
    """

    security: bool = False
    calendar: str = ""
    first: int = 0
    seconds: int = 0
