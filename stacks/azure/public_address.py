"""A public address."""

from cdktf_cdktf_provider_azurerm.public_ip import PublicIp
from constructs import Construct

from stacks.addresses import addressed
from stacks.azure.place import Place


def public_address(scope: Construct, name: str, place: Place) -> PublicIp:
    """A static address of the standard SKU, called `address` in its scope."""
    return addressed(
        PublicIp(scope, "address", name=name, allocation_method="Static", sku="Standard", **place.common)
    )
