"""A provider's schema as data: the part of `terraform providers schema -json` that is needed here."""

from __future__ import annotations

from typing import Any

import msgspec

# Terraform's JSON notation of a type: "string", ["list", "string"], ["object", {"name": type}], "dynamic".
TypeNotation = str | list[Any]


class Attribute(msgspec.Struct, frozen=True, omit_defaults=True):
    """One argument or attribute of a block."""

    type: TypeNotation
    required: bool = False
    optional: bool = False
    computed: bool = False
    sensitive: bool = False


class NestedBlock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A block inside a block; `max_items` 0 means no limit."""

    nesting: str  # single | list | set | map
    block: Block
    min_items: int = 0
    max_items: int = 0


class Block(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of a resource, a data source, a provider, or a nested block."""

    attributes: dict[str, Attribute] = {}
    blocks: dict[str, NestedBlock] = {}


class ProviderSchema(msgspec.Struct, frozen=True):
    """All that one provider offers to Terraform."""

    name: str
    version: str
    provider: Block
    resources: dict[str, Block]
    data_sources: dict[str, Block]
