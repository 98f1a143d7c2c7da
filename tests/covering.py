"""The few blueprints that show what all of them do, as far as types of resources go."""

import json
from collections.abc import Iterable
from pathlib import Path

from support import GOLDENS


def types_of(blueprint: Path) -> frozenset[str]:
    """The types of resources in a blueprint's stacks, by its golden file; none without one."""
    golden = GOLDENS / f"{blueprint.stem}.tf.json"
    if not golden.is_file():
        return frozenset()
    document = json.loads(golden.read_text("utf-8"))
    stacks = [document] if "terraform" in document else document.values()
    return frozenset(type_ for stack in stacks for type_ in stack.get("resource", {}))


def few_with_all_types(blueprints: Iterable[Path]) -> frozenset[Path]:
    """Blueprints that together have every type of resource: always the one that adds most to those before."""
    types = {blueprint: types_of(blueprint) for blueprint in sorted(blueprints)}
    missing = frozenset().union(*types.values())
    chosen = set()
    while missing:
        most = max(types, key=lambda blueprint: len(types[blueprint] & missing))
        chosen.add(most)
        missing -= types[most]
    return frozenset(chosen)
