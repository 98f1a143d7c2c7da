"""The place of a stack's state; the same in every kind."""

from clusterprint.plan.part import PlanPart


class StatePlan(PlanPart, frozen=True, kw_only=True):
    """Where a stack keeps its state: a bucket, and the folder of this very stack in it."""

    bucket: str
    prefix: str
