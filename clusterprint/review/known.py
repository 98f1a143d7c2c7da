"""What something is called, and where it is, as far as that is known before it is built."""

from typing import Any

from clusterprint.catalog import region_of

_DASHES_OF_A_ZONE = 2


def called(name: Any) -> str:
    """The name of something with a blank before it; empty if it is known later."""
    return f" {name}" if isinstance(name, str) and name and "${" not in name else ""


def region_at(place: Any) -> str:
    """The region of a zone or region, whichever it is; empty if that is known later."""
    if "${" in str(place):
        return ""
    # Google writes addresses, and regions of buckets in capitals; Azure also `East US` for `eastus`
    name = str(place or "").rpartition("/")[2].replace(" ", "").lower()
    return region_of(name) if name.count("-") == _DASHES_OF_A_ZONE else name
