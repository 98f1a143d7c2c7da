"""IP ranges and addresses: what overlaps, what is free."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.google.refusal import api_error, field

# Where every auto mode subnetwork lies.
AUTO_MODE = ipaddress.ip_network("10.128.0.0/9")
SMALLEST = 29
# The network, the gateway, and the last two addresses of a primary range cannot be used.
_AT_FRONT = 2
_AT_END = 2
_TAKING = "Error taking an address"


Range = ipaddress.IPv4Network


def parse(cidr: str, where: str) -> Range:
    """Parse an IPv4 range as strictly as the API; `where` is the field's name.

    :raises ApiError: when it is no range, or has host bits.
    """
    try:
        return Range(cidr, strict=True)
    except ValueError as error:
        text = f"{field(where, cidr)}. Must be a valid CIDR range ({error})"
        raise api_error("Error in a range", text) from error


def of_subnetwork(record: Record) -> Iterator[tuple[str, Range]]:
    """(what, range) of the primary range and every secondary one."""
    primary = record.state.get("ip_cidr_range")
    if isinstance(primary, str) and primary:
        yield "primary range", Range(primary)
    for secondary in record.state.get("secondary_ip_range") or []:
        if secondary.get("ip_cidr_range"):
            name = f"secondary range {secondary.get('range_name')}"
            yield name, Range(secondary["ip_cidr_range"])


def secondary(subnetwork: Record | None, name: str) -> Range | None:
    """The secondary range of a name, None if there is none."""
    for one in (subnetwork.state.get("secondary_ip_range") or []) if subnetwork else []:
        if one.get("range_name") == name and one.get("ip_cidr_range"):
            return Range(one["ip_cidr_range"])
    return None


def lease(contents: Contents, subnetwork: Record, holder: str, wanted: str = "") -> str:
    """Take an address of a subnetwork for the record `holder`: the wanted one, or the next free one.

    :raises ApiError: when it is taken, outside, or when none is left.
    """
    cidr = Range(subnetwork.state["ip_cidr_range"])
    taken = contents.leases.setdefault(f"addresses of {subnetwork.id}", {})
    if wanted:
        where = field("networkIP", wanted)
        if ipaddress.IPv4Address(wanted) not in cidr:
            raise api_error(_TAKING, f"{where}. The address is outside the subnetwork's range {cidr}.")
        if taken.get(wanted, holder) != holder:
            raise api_error(_TAKING, f"{where}. The address is in use.", "resourceInUseByAnotherResource")
        taken[wanted] = holder
        return wanted
    for offset in range(_AT_FRONT, cidr.num_addresses - _AT_END):
        address = str(cidr[offset])
        if address not in taken:
            taken[address] = holder
            return address
    raise api_error(_TAKING, f"IP space of '{subnetwork.id}' is exhausted.", "IP_SPACE_EXHAUSTED")


def external(contents: Contents, holder: str) -> str:
    """Take a public address."""
    taken = contents.leases.setdefault("external addresses", {})
    number = len(taken)
    while True:
        address = str(ipaddress.IPv4Address("34.16.0.10") + number)
        if address not in taken:
            taken[address] = holder
            return address
        number += 1
