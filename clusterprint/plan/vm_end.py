"""The end of a cluster of `kind: vm` by itself."""

from typing import Literal

from clusterprint.plan.part import PlanPart


class EndRequest(PlanPart, frozen=True, kw_only=True):
    """A request to Compute Engine that ends the `instances` of one group, given as partial URLs.

    `key` is the group's, empty for the only one. With `skip_missing` those that are not there any more are
    passed over, where Compute Engine knows how to.
    """

    key: str
    job: str
    uri: str
    instances: tuple[str, ...]
    skip_missing: bool


class RetryPlan(PlanPart, frozen=True, kw_only=True):
    """How often a request that was refused is made again, and how long after; each pause doubles."""

    count: int
    first_seconds: int
    most_seconds: int


class NoticePlan(PlanPart, frozen=True, kw_only=True):
    """The object in the state bucket that tells nodes when they end; each may read it."""

    bucket: str
    object: str


class EndPlan(PlanPart, frozen=True, kw_only=True):
    """Jobs that end all nodes so many seconds after they were first planned for.

    The account `account_id` gets a role of the project with just these `permissions`. `message` is what
    Terraform says when the end is in the past already, before the time of that end.
    """

    seconds: int
    action: Literal["delete", "stop"]
    account_id: str
    display_name: str
    role_id: str
    role_title: str
    permissions: tuple[str, ...]
    requests: tuple[EndRequest, ...]
    retry: RetryPlan
    notice: NoticePlan | None
    message: str
