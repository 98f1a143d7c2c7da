"""Facts about arguments that the wheels do not carry: what forces replacement, defaults, conflicts, limits.

Those of providers that there is a table of come from there (`facts/`). What tables lack, and all of the other
providers, is read off the providers' source and documentation and kept as data, one file per provider.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from clusterprint_simcloud.facts import Fact
from clusterprint_simcloud.schema import Attribute, Block, NestedBlock


class Argument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Facts about one argument beyond the wheel; lists hold dotted paths from the resource down."""

    force_new: bool = False
    deep: bool = False  # of a block: what forces replacement is any change in it
    computed: bool = False  # of a block: the cloud fills it in where the configuration has none
    default: Any = None
    sensitive: bool = False
    min_items: int = 0
    max_items: int = 0
    conflicts_with: list[str] = []
    exactly_one_of: list[str] = []
    at_least_one_of: list[str] = []
    required_with: list[str] = []
    one_of: list[str] = []  # the values that the provider's own validation accepts
    matches: str = ""  # the regular expression that it accepts, in maps for each value
    keys: str = ""  # the one that it accepts for each key of a map
    least: int | None = None
    most: int | None = None
    why: str = ""  # it says something else than the table


# By dotted path: `boot_disk.initialize_params.image`.
Arguments = Mapping[str, Argument]


class _File(msgspec.Struct, frozen=True):
    source: str
    types: dict[str, dict[str, Argument]]


@cache
def load(package: str) -> Mapping[str, Arguments]:
    """By type name, the content of `arguments.json` in `package` (`clusterprint_simcloud.google`)."""
    text = importlib.resources.files(package).joinpath("arguments.json").read_bytes()
    return msgspec.json.decode(text, type=_File).types


def reported(facts: Mapping[str, Fact]) -> Arguments:
    """The facts of a table about the arguments of one type."""
    return {path: _reported(fact) for path, fact in facts.items()}


def _reported(fact: Fact) -> Argument:
    return Argument(
        force_new=fact.says("force_new"),
        computed=fact.says("computed"),
        default=fact.default,
        sensitive=fact.says("sensitive"),
        min_items=fact.min_items,
        max_items=fact.max_items,
        one_of=fact.one_of,
        matches=fact.matches,
        keys=fact.keys,
        least=fact.least,
        most=fact.most,
        conflicts_with=fact.conflicts_with,
        exactly_one_of=fact.exactly_one_of,
        at_least_one_of=fact.at_least_one_of,
        required_with=fact.required_with,
    )


def adding(facts: Arguments, /, **more: Argument) -> Arguments:
    """Facts with more of them; where both have one, the fields that `more` sets win."""
    merged = dict(facts)
    for path, extra in more.items():
        before = merged.get(path)
        merged[path] = extra if before is None else _merge(before, extra)
    return merged


def _merge(before: Argument, extra: Argument) -> Argument:
    blank = Argument()
    changes = {
        field: getattr(extra, field)
        for field in Argument.__struct_fields__
        if getattr(extra, field) != getattr(blank, field)
    }
    return Argument(**{field: getattr(before, field) for field in Argument.__struct_fields__} | changes)


def with_facts(block: Block, arguments: Arguments, prefix: str = "") -> Block:
    """The schema with the facts that Terraform itself enforces: sensitive values, least and most blocks."""

    def fact(name: str) -> Argument:
        return arguments.get(prefix + name, _NOTHING)

    return Block(
        {name: _sensitive(one, fact(name)) for name, one in block.attributes.items()},
        {
            name: NestedBlock(
                one.nesting,
                with_facts(one.block, arguments, f"{prefix}{name}."),
                max(one.min_items, fact(name).min_items if one.min_items else 0),
                0 if one.nesting == "single" else one.max_items or fact(name).max_items,
            )
            for name, one in block.blocks.items()
        },
    )


def _sensitive(attribute: Attribute, fact: Argument) -> Attribute:
    return msgspec.structs.replace(attribute, sensitive=True) if fact.sensitive else attribute


_NOTHING = Argument()
