"""The few blueprints that show what all of them do, as far as types of resources, or their arguments, go."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from support import GOLDENS

# Terraform's own, and maps whose keys are the user's.
META = {"depends_on", "count", "for_each", "lifecycle"}
MAPS = {"labels", "metadata", "tags", "annotations", "input", "triggers_replace", "env"}


def types_of(blueprint: Path) -> frozenset[str]:
    """The types of resources in a blueprint's stacks, by its golden file; none without one."""
    return frozenset(type_ for type_, _ in _resources(blueprint))


def arguments_of(blueprint: Path) -> frozenset[str]:
    """The arguments of resources in a blueprint's stacks, such as `google_compute_disk.labels`."""
    return frozenset(path for type_, resource in _resources(blueprint) for path in _paths(resource, type_))


def _resources(blueprint: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    golden = GOLDENS / f"{blueprint.stem}.tf.json"
    if golden.is_file():
        document = json.loads(golden.read_text("utf-8"))
        for stack in [document] if "terraform" in document else document.values():
            for type_, resources in stack.get("resource", {}).items():
                yield from ((type_, resource) for resource in resources.values())


def _paths(value: Any, path: str) -> Iterator[str]:
    yield path
    if isinstance(value, list):
        for each in value:
            yield from _paths(each, path)
    elif isinstance(value, dict) and path.rpartition(".")[2] not in MAPS:
        for key in value.keys() - META:
            yield from _paths(value[key], f"{path}.{key}")


def few_with_all_types(blueprints: Iterable[Path]) -> frozenset[Path]:
    """Blueprints that together have every type of resource."""
    return _few(blueprints, types_of)


def few_with_all_arguments(blueprints: Iterable[Path]) -> frozenset[Path]:
    """Blueprints that together have every argument of every type of resource."""
    return _few(blueprints, arguments_of)


def _few(blueprints: Iterable[Path], what: Callable[[Path], frozenset[str]]) -> frozenset[Path]:
    """Always the blueprint that adds most to those before."""
    parts = {blueprint: what(blueprint) for blueprint in sorted(blueprints)}
    missing = frozenset().union(*parts.values())
    chosen = set()
    while missing:
        most = max(parts, key=lambda blueprint: len(parts[blueprint] & missing))
        chosen.add(most)
        missing -= parts[most]
    return frozenset(chosen)
