"""IP ranges and addresses of subnets: what overlaps, what is free."""

from __future__ import annotations

import ipaddress

from clusterprint_simcloud.azure.refusal import refusal
from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import Contents, Record

Range = ipaddress.IPv4Network

# Azure keeps the first four addresses of a subnet and the last one.
_AT_FRONT = 4
SMALLEST = 29


def parse(request: Request, cidr: str) -> Range:
    """Parse an IPv4 range as strictly as the API.

    :raises ApiError: when it is no range, or has host bits.
    """
    try:
        return Range(cidr, strict=True)
    except ValueError as error:
        text = f"The address prefix {cidr} in resource {request.identity} is not valid: {error}."
        raise refusal(request, "InvalidCIDRNotation", text) from error


def range_of(subnet: Record) -> Range:
    """The (first) range of a subnet."""
    return Range(str((subnet.state.get("address_prefixes") or ["0.0.0.0/32"])[0]))


def free(contents: Contents, subnet: Record) -> int:
    """How many addresses of a subnet are left."""
    return range_of(subnet).num_addresses - _AT_FRONT - 1 - len(_leases(contents, subnet))


def lease(request: Request, subnet: Record, wanted: str = "") -> str:
    """Take an address of a subnet for the resource of the request: the wanted one, or the lowest free one.

    :raises ApiError: when it is taken, outside, reserved, or when none is left.
    """
    cidr, taken, holder = range_of(subnet), _leases(request.contents, subnet), request.record.key
    usable = range(_AT_FRONT, cidr.num_addresses - 1)
    if wanted:
        address = ipaddress.IPv4Address(wanted)
        if address not in cidr or int(address) - int(cidr.network_address) not in usable:
            text = f"Private static IP address {wanted} falls outside the usable addresses of {cidr}."
            raise refusal(request, "PrivateIPAddressNotInSubnet", text)
        if taken.get(wanted, holder) != holder:
            text = f"IP configuration is using the private IP address {wanted} which is already allocated."
            raise refusal(request, "PrivateIPAddressIsAllocated", text)
        taken[wanted] = holder
        return wanted
    for offset in usable:
        candidate = str(cidr[offset])
        if candidate not in taken:
            taken[candidate] = holder
            return candidate
    text = f"Subnet {subnet.id} with address prefix {cidr} is full."
    raise refusal(request, "SubnetIsFull", text)


def leased_by(contents: Contents, subnet: Record, holder: str) -> list[str]:
    """The addresses of a subnet that a record has taken, in the order of taking."""
    return [address for address, key in _leases(contents, subnet).items() if key == holder]


def release(contents: Contents, subnet: Record, address: str) -> None:
    """Give an address back."""
    _leases(contents, subnet).pop(address, None)


def _leases(contents: Contents, subnet: Record) -> dict[str, str]:
    return contents.leases.setdefault(f"addresses of {subnet.id}", {})
