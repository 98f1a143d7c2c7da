"""The base of all types of a blueprint."""

from typing import Annotated, get_type_hints

import msgspec
import pytest
from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part


class Limited(Part, frozen=True, kw_only=True):
    """A part with optional fields, one of them with a limit."""

    count: Annotated[int | UnsetType, Meta(ge=1)] = UNSET
    plain: int | UnsetType = UNSET


def test_an_optional_field_may_have_limits() -> None:
    assert msgspec.convert({}, Limited).count is UNSET
    assert msgspec.convert({"count": 1}, Limited).count == 1
    with pytest.raises(msgspec.ValidationError, match="`int` >= 1"):
        msgspec.convert({"count": 0}, Limited)
    hints = get_type_hints(Limited)
    assert hints["count"] == hints["plain"] == int | UnsetType
