"""Names, places and data of resources, as far as they are known before an apply."""

import re
from collections.abc import Mapping
from typing import Any

from clusterprint.catalog import region_of
from clusterprint.resource_types import Data
from clusterprint.review.delta import get

_DASHES_OF_A_ZONE = 2


def so_far(name: Any) -> str:
    """A name, or what it begins with and a star for what is known later; empty if that is all of it."""
    if not isinstance(name, str):
        return ""
    begins, later, _ = name.partition("${")
    return f"{begins}*" if begins and later else begins


def called(name: Any) -> str:
    """The name of something, if known, with a blank before it; empty if nothing is."""
    known = so_far(name)
    return f" {known}" if known else ""


def region_at(place: Any) -> str:
    """The region of a zone or region, whichever it is; empty if that is known later."""
    if "${" in str(place):
        return ""
    # Google writes addresses, and regions of buckets in capitals; Azure also `East US` for `eastus`
    name = str(place or "").rpartition("/")[2].replace(" ", "").lower()
    return region_of(name) if name.count("-") == _DASHES_OF_A_ZONE else name


def is_elsewhere(data: Data, values: Mapping[str, Any]) -> bool:
    """Whether a resource with these values holds no data itself: it is in another one, or is kept."""
    found = data.elsewhere
    return found is not None and bool(re.fullmatch(found.pattern, str(get(values, found.argument, ""))))
