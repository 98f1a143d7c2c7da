"""Addresses of a network that are kept for Google's own networks, which are peered with it."""

from collections.abc import Sequence
from typing import NamedTuple

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.compute_global_address import ComputeGlobalAddress
from constructs import Construct

from stacks.addresses import addressed


class Range(NamedTuple):
    """A range with a name, in the project of its network."""

    project: str
    name: str
    address: str
    prefix_length: int


def reserve(
    scope: Construct, kept: Range, *, network: str, after: Sequence[TerraformResource]
) -> ComputeGlobalAddress:
    """Keep the range."""
    return addressed(
        ComputeGlobalAddress(
            scope,
            "range",
            project=kept.project,
            name=kept.name,
            purpose="VPC_PEERING",
            address_type="INTERNAL",
            address=kept.address,
            prefix_length=kept.prefix_length,
            network=network,
            depends_on=list(after),
        )
    )
