"""The base of all plan types."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import msgspec

if TYPE_CHECKING:
    from clusterprint.plan.google import UploadPlan


class PlanPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a plan: what one construct needs to know."""


class StackPlan(PlanPart, frozen=True, kw_only=True):
    """Everything about one stack; `name` is the stack's, unique in the output and in the state bucket."""

    #: The module below `stacks` with its `build`.
    module: ClassVar[str]
    #: Whether Kubernetes objects are applied with the chart of ours.
    has_objects: ClassVar[bool] = False

    name: str

    @property
    def scripts(self) -> Mapping[str, str]:
        """Texts of scripts beside the stack, by name, for Terraform to run."""
        return {}

    @property
    def upload(self) -> "UploadPlan | None":
        """Files that are uploaded to a bucket, if any."""
        return None
