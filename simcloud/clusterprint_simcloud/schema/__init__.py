"""The schema of a provider, from the wheel that the stacks are built with."""

from clusterprint_simcloud.schema.model import Attribute, Block, NestedBlock, ProviderSchema, TypeNotation
from clusterprint_simcloud.schema.versions import at_version
from clusterprint_simcloud.schema.wheel import Wheel, load

__all__ = [
    "Attribute",
    "Block",
    "NestedBlock",
    "ProviderSchema",
    "TypeNotation",
    "Wheel",
    "at_version",
    "load",
]
