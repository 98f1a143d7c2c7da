"""A schema in another version of its provider than the wheel's: what that version adds, drops and changes.

Bindings stop at some version, stacks need not: what they set beyond the bindings is checked against this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from clusterprint_simcloud.facts import Fact, Table
from clusterprint_simcloud.schema.model import Attribute, Block, NestedBlock, ProviderSchema, TypeNotation

_SIMPLE: dict[str, TypeNotation] = {"String": "string", "Int": "number", "Float": "number", "Bool": "bool"}
_COLLECTIONS = {"List": "list", "Set": "set", "Map": "map"}
# Every resource has them, in whatever version; the SDK's tables do not count them.
_ALWAYS = {"id", "timeouts"}
# Blocks without arguments that wheels do not know yet: a table cannot tell them from lists of text.
_EMPTY_BLOCKS = {"no_cache"}

Rows = Mapping[str, Fact]
T = TypeVar("T")


def at_version(read: ProviderSchema, version: str, table: Table) -> ProviderSchema:
    """The schema of a wheel as another version has it; types that the table lacks stay as they are."""
    resources = {
        name: _block(block, table[name]) if name in table else block for name, block in read.resources.items()
    }
    return ProviderSchema(read.name, version, read.provider, resources, read.data_sources)


def _block(known: Block, rows: Rows) -> Block:
    attributes = {name: one for name, one in known.attributes.items() if name in _ALWAYS}
    blocks = {name: one for name, one in known.blocks.items() if name in _ALWAYS}
    for name, fact in rows.items():
        if "." in name:
            continue
        inner = _inside(rows, name)
        if name in known.attributes:
            attributes[name] = _flags(known.attributes[name], fact)
        elif name in known.blocks or name in _EMPTY_BLOCKS or (inner and not _is_value(fact)):
            blocks[name] = _nested(known.blocks.get(name), fact, inner)
        else:
            attributes[name] = _flags(Attribute(_type(fact, inner)), fact)
    return Block(_in_order(attributes, known.attributes), _in_order(blocks, known.blocks))


def _inside(rows: Rows, name: str) -> Rows:
    return {path.removeprefix(f"{name}."): fact for path, fact in rows.items() if path.startswith(f"{name}.")}


def _in_order(found: dict[str, T], known: Mapping[str, T]) -> dict[str, T]:
    """The wheel's arguments, unchanged, followed by the new ones."""
    names = [*(name for name in known if name in found), *sorted(found.keys() - known.keys())]
    return {name: found[name] for name in names}


def _is_value(fact: Fact) -> bool:
    """Whether Terraform sees objects in an attribute rather than blocks: nobody can write them."""
    return fact.says("computed") and not fact.says("optional")


def _flags(attribute: Attribute, fact: Fact) -> Attribute:
    return msgspec.structs.replace(
        attribute,
        required=fact.says("required"),
        optional=fact.says("optional"),
        computed=fact.says("computed"),
    )


def _nested(known: NestedBlock | None, fact: Fact, inner: Rows) -> NestedBlock:
    if known is not None:
        return msgspec.structs.replace(known, block=_block(known.block, inner))
    block = _block(Block(), inner)
    return NestedBlock(_COLLECTIONS[fact.type], block, int(fact.says("required")), fact.max_items)


def _type(fact: Fact, inner: Rows) -> TypeNotation:
    if fact.type in _SIMPLE:
        return _SIMPLE[fact.type]
    # Tables do not say what a plain list holds. In all that wheels have it is text.
    element: TypeNotation = "string"
    if inner:
        fields = {name: _type(one, _inside(inner, name)) for name, one in inner.items() if "." not in name}
        element = ["object", fields]
    return [_COLLECTIONS[fact.type], element]
