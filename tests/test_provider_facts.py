"""The tables of provider facts know every type and every argument that any stack uses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import GOLDENS

from clusterprint_simcloud.facts import SERVED, table, versions

# They belong to Terraform, not to a provider.
META = {"count", "depends_on", "for_each", "lifecycle", "provider", "provisioner", "connection"}
Used = dict[tuple[str, str], set[str]]


def used() -> Used:
    """By provider and type, the arguments in all goldens (there is one for each shipped blueprint, too)."""
    found: Used = {}
    for golden in sorted(GOLDENS.glob("*.tf.json")):
        for resource in _sections(json.loads(golden.read_text("utf-8"))):
            for type_, named in resource.items():
                paths = found.setdefault((type_.partition("_")[0], type_), set())
                for body in named.values():
                    paths |= {path for path in _paths(body) if path.partition(".")[0] not in META}
    return found


def _sections(golden: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for stack in [golden] if "terraform" in golden else golden.values():
        yield stack.get("resource", {})


def _paths(value: Any, prefix: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            # What a dynamic block makes is in its content.
            if key == "dynamic":
                for block, made in inner.items():
                    yield f"{prefix}{block}"
                    yield from _paths(made["content"], f"{prefix}{block}.")
                continue
            yield f"{prefix}{key}"
            yield from _paths(inner, f"{prefix}{key}.")
    elif isinstance(value, list):
        for inner in value:
            yield from _paths(inner, prefix)


USED = used()


@pytest.mark.parametrize(("provider", "version"), [(one, each) for one in SERVED for each in versions(one)])
def test_the_table_is_complete(provider: str, version: str) -> None:
    known = table(provider, version)
    missing = []
    for (owner, type_), paths in USED.items():
        if owner != provider:
            continue
        rows = known.get(type_, {})
        maps = tuple(f"{path}." for path, fact in rows.items() if fact.type == "Map")
        missing += [
            f"{type_}.{path}"
            for path in sorted(paths)
            if path not in rows and path.partition(".")[0] != "timeouts" and not path.startswith(maps)
        ]
    assert missing == []


def test_every_provider_is_looked_at() -> None:
    assert set(SERVED) <= {provider for provider, _ in USED}
    assert "disk.boot" in USED["google", "google_compute_instance_template"]


def test_stacks_and_facts_are_of_one_version() -> None:
    """What stacks require is what is simulated, and what reviews know."""
    required: dict[str, set[str]] = {}
    for golden in sorted(Path(GOLDENS).glob("*.tf.json")):
        document = json.loads(golden.read_text("utf-8"))
        for stack in [document] if "terraform" in document else document.values():
            for name, one in stack["terraform"]["required_providers"].items():
                required.setdefault(name, set()).add(one["version"])
    assert {name: required[name] for name in SERVED} == {name: {version} for name, version in SERVED.items()}
