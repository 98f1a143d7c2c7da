"""The base of all plan types."""

import msgspec


class PlanPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a plan: what one construct needs to know."""


class StackPlan(PlanPart, frozen=True, kw_only=True):
    """Everything about one stack; `name` is the stack's, unique in the output and in the state bucket."""

    name: str
