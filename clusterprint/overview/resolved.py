"""The plans of the stacks of a blueprint, as data."""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived import state_names
from clusterprint.derived.state import state_root
from clusterprint.resolve import resolve

_LONGEST = 200


class Stack(NamedTuple):
    """A stack: its name, where Terraform keeps its state, and its plan as plain data."""

    name: str
    state: str
    plan: dict[str, Any]


def stacks_of(blueprint: Blueprint, folder: Path) -> list[Stack]:
    """The stacks of a blueprint without mistakes, in the order in which they are built."""
    root = state_root(blueprint)
    bucket = blueprint.backend.gcs.bucket
    return [
        Stack(
            plan.name,
            state_names.state_address(bucket, state_names.state_folder(root, plan.name)),
            msgspec.to_builtins(plan),
        )
        for plan in resolve(blueprint, folder)
    ]


def shortened(value: Any) -> Any:
    """Plain data for people: without what is empty, and long texts as their first line and their length."""
    if isinstance(value, dict):
        inner = {key: shortened(each) for key, each in value.items()}
        return {key: each for key, each in inner.items() if each not in ("", None, [], {})}
    if isinstance(value, list | tuple):
        return [shortened(each) for each in value]
    if isinstance(value, str) and (len(value) > _LONGEST or "\n" in value):
        first, *others = value.split("\n")
        return f"{first[:_LONGEST]} ... ({len(others) + 1} lines, {len(value):,} characters)"
    return value
