"""Whether an optional field was given."""

from typing import TypeGuard, TypeVar

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.broken import readable

T = TypeVar("T")


def given(value: T | UnsetType) -> TypeGuard[T]:
    """Whether the user gave a value. Unknowable if what was given has been reported already."""
    return readable(value) is not UNSET
