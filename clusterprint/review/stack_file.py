"""A synthesized stack file as resources, each instance by its own address."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint.review.delta import Resource, Values, leaves
from clusterprint.review.differences import dotted
from clusterprint.review.expressions import instances, references, substitute, whole_reference
from clusterprint.review.facts import DEFAULTS_OF_PROVIDER, force_new

# Names are taken over from one resource to the next, and hardly ever further.
_LONGEST_CHAIN = 4

# Arguments of Terraform's own, which are no part of the resource.
_META = ("//", "depends_on", "lifecycle", "for_each", "count", "provider", "provisioner", "connection")


# Sections of the file that are compared in their own ways, and the engine's notes to itself.
_COMPARED = ("//", "resource", "output", "moved", "terraform")


class Stack(NamedTuple):
    """A synthesized stack.

    `state` says where its state is kept, `moves` which addresses Terraform was told to move, old to new, and
    `rest` everything else by its section: versions and settings of providers, data sources, checks.
    """

    name: str
    resources: dict[str, Resource]
    outputs: dict[str, Any]
    state: str
    moves: dict[str, str]
    rest: dict[str, Any]


def read_stack(file: Path, name: str) -> Stack:
    """Read the file that the engine wrote."""
    document = json.loads(file.read_text("utf-8"))
    providers = document.get("provider", {})
    resources = resolved(
        each
        for type_, named in document.get("resource", {}).items()
        for local, body in named.items()
        for each in _instances(name, type_, local, _with_defaults(type_, body, providers))
    )
    outputs = {key: each for key, each in document.get("output", {}).items() if isinstance(each, dict)}
    moves = document.get("moved", [])
    terraform = document.get("terraform", {})
    rest = {key: each for key, each in document.items() if key not in _COMPARED}
    rest |= {key: each for key, each in terraform.items() if key != "backend"}
    return Stack(
        name,
        resources,
        outputs,
        _state(terraform.get("backend", {})),
        {each["from"]: each["to"] for each in (moves if isinstance(moves, list) else [moves])},
        rest,
    )


def _instances(stack: str, type_: str, local: str, body: Values) -> Iterator[Resource]:
    base = f"{type_}.{local}"
    meta = {key: body[key] for key in ("lifecycle",) if key in body}
    for key, values in _expanded(body):
        kept = {name: each for name, each in values.items() if name not in _META}
        yield Resource(stack, type_, f"{base}{key}", base, kept, _references(kept), meta)


def _expanded(body: Values) -> Iterator[tuple[str, Values]]:
    """The key of each instance, as it is written in addresses, and its body."""
    if "for_each" in body:
        items = instances(body["for_each"])
        if items is None:
            yield "[*]", body
        for key, item in (items or {}).items():
            yield f"[{json.dumps(key)}]", substitute(body, key, item)
    elif isinstance(body.get("count"), int):
        for index in range(body["count"]):
            yield f"[{index}]", _counted(body, index)
    else:
        yield "", body


def _references(values: Values) -> dict[str, tuple[str, ...]]:
    """The references of each argument; for repeated blocks (network interfaces), of all of them."""
    refers: dict[str, tuple[str, ...]] = {}
    for path, value in leaves(values):
        if isinstance(value, str) and (found := references(value)):
            refers[dotted(path)] = (*refers.get(dotted(path), ()), *found)
    return refers


def resolved(resources: Iterable[Resource]) -> dict[str, Resource]:
    """Resources by address, with what one takes over from another as the value that is written there."""
    found = {each.address: each for each in resources}
    for _ in range(_LONGEST_CHAIN):
        values = {address: _taken_over(each.values, found) for address, each in found.items()}
        if all(values[address] == each.values for address, each in found.items()):
            break
        found = {address: each._replace(values=values[address]) for address, each in found.items()}
    return found


def _taken_over(value: Any, resources: Mapping[str, Resource]) -> Any:
    if isinstance(value, dict):
        return {key: _taken_over(each, resources) for key, each in value.items()}
    if isinstance(value, list):
        return [_taken_over(each, resources) for each in value]
    address, attribute = whole_reference(value) if isinstance(value, str) else ("", "")
    target = resources.get(address)
    written = target.values.get(attribute) if target else None
    is_plain = isinstance(written, str | int | float) and "${" not in str(written)
    return written if is_plain else value


def _counted(value: Any, index: int) -> Any:
    if isinstance(value, dict):
        return {key: _counted(each, index) for key, each in value.items()}
    if isinstance(value, list):
        return [_counted(each, index) for each in value]
    return value.replace("${count.index}", str(index)) if isinstance(value, str) else value


def _with_defaults(type_: str, body: Values, providers: Values) -> Values:
    """The body with what its provider fills in: the project, region and zone that all resources share."""
    configured = providers.get(type_.partition("_")[0], [])
    config = (configured if isinstance(configured, list) else [configured])[:1]
    defaults = {
        key: config[0][key]
        for key in DEFAULTS_OF_PROVIDER
        if config and key in config[0] and key in force_new(type_) and key not in body
    }
    return {**body, **defaults}


def _state(backend: Values) -> str:
    if "gcs" in backend:
        gcs = backend["gcs"]
        return f"gs://{gcs.get('bucket', '')}/{gcs.get('prefix', '')}"
    return json.dumps(backend, sort_keys=True) if backend else ""
