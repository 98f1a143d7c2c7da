"""Create, update and delete a resource in the cloud: the same order of steps for every type."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from clusterprint_simcloud.cloud.behaviour import Provider, Request, ResourceType, State
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.schema import Block, TypeNotation
from clusterprint_simcloud.values import UNKNOWN, Path, Value, at, look_up, without_unknown

Fill = Callable[[Path, TypeNotation], Value]
# The type under which a whole block is asked for.
_BLOCKS: TypeNotation = ["list", "dynamic"]


@dataclass(frozen=True)
class Change:
    """A planned change of a resource."""

    prior: State | None  # None for one that is not there yet
    state: State  # filled in place; that of a delete is what there was
    identity: str = ""  # of one that is there
    config: State = field(default_factory=dict)  # the provider's own configuration


def create(
    provider: Provider, kind: ResourceType, block: Block, contents: Contents, change: Change
) -> Record:
    """Make the resource; fills every unknown value of its state in place.

    :raises ApiError: when the cloud refuses.
    """
    state = change.state
    for name in provider.inherited_late.get(kind.name, ()):
        if state.get(name) is UNKNOWN:
            state[name] = change.config.get(name)
    request = _request(contents, kind, change)
    if state.get("name") is UNKNOWN and "name" in kind.computed:  # the cloud chooses it, and the id needs it
        state["name"] = request.state["name"] = _value(provider, request, ("name",), "string")
    request.identity = kind.identify(request)
    for step in provider.admitted:
        step(request)
    there = not kind.shared and contents.get(kind.name, request.identity)
    if there and not kind.takes_over(request):
        raise ApiError(provider.words.taken(request))
    references = _references(provider, request)
    for check in kind.checks:
        check(request)
    # The record is there while its values are made: what they lease is leased to it.
    record = contents.add(Record(kind.name, request.identity, state, references))
    fill_unknown(block, state, lambda path, notation: _value(provider, request, path, notation))
    request.state = state
    for step in kind.created:
        step(request)
    return record


def found(kind: ResourceType, contents: Contents, change: Change, identity: str) -> str:
    """The identity of what is there already, where the one that is known of it may not be all of it.

    Where Terraform replaces what it has made only in part, it hands on nothing but the state.
    """
    if contents.get(kind.name, identity) is not None:
        return identity
    return kind.identify(_request(contents, kind, change))


def update(
    provider: Provider, kind: ResourceType, block: Block, contents: Contents, change: Change
) -> Record:
    """Change the resource in place.

    :raises ApiError: when the cloud refuses or the resource is gone.
    """
    request = _request(contents, kind, change)
    for step in provider.admitted:
        step(request)
    record = request.record
    record.references = _references(provider, request)
    for check in kind.checks:
        check(request)
    known = record.state

    def value(path: Path, notation: TypeNotation) -> Value:
        before = look_up(known, path)
        return _value(provider, request, path, notation) if before is None else before

    fill_unknown(block, change.state, value)
    record.state = request.state = change.state
    for step in kind.updated:
        step(request)
    return record


def delete(provider: Provider, kind: ResourceType, contents: Contents, change: Change) -> None:
    """Delete the resource; that it is gone already is no error.

    :raises ApiError: when it is protected or in use.
    """
    record = contents.get(kind.name, change.identity)
    if record is None:
        return
    request = _request(contents, kind, change)
    if provider.abandons(request):
        return
    for step in (*provider.admitted, *kind.deleting):
        step(request)
    for user in contents.users_of(record):
        raise ApiError(provider.words.in_use(request, user))
    contents.remove(record)


def _request(contents: Contents, kind: ResourceType, change: Change) -> Request:
    asked = without_unknown(change.state)
    return Request(
        contents, kind, asked, change.prior, change.identity, contents.next_serial(), change.config
    )


def _references(provider: Provider, request: Request) -> list[str]:
    """The keys of all that the resource holds.

    :raises ApiError: for the first that is not there.
    """
    held: list[str] = []
    for reference in request.kind.references:
        for path, value in _named(request.state, reference.path):
            found = reference.find(request, value)
            if found is None:
                raise ApiError(provider.words.missing(request, reference.missing(request, path, value)))
            if reference.holds and found.key not in held:
                held.append(found.key)
    return held


def _named(state: State, path: str) -> list[tuple[Path, str]]:
    return [
        (steps, one)
        for steps, value in at(state, path)
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, str) and one
    ]


def fill_unknown(block: Block, value: Value, fill: Fill, prefix: Path = ()) -> None:
    """Replace, in place, everything that was known only after apply."""
    for name, attribute in block.attributes.items():
        if value.get(name) is UNKNOWN:
            value[name] = fill((*prefix, name), attribute.type)
        else:
            _drop_unknown(value.get(name))
    for name, nested in block.blocks.items():
        inner = value.get(name)
        if inner is UNKNOWN:
            made = fill((*prefix, name), _BLOCKS)
            value[name] = inner = [completed(nested.block, one) for one in made]
        if isinstance(inner, list):
            for index, element in enumerate(inner):
                if isinstance(element, dict):
                    fill_unknown(nested.block, element, fill, (*prefix, name, index))
        elif isinstance(inner, dict) and nested.nesting == "single":
            fill_unknown(nested.block, inner, fill, (*prefix, name))


def completed(block: Block, value: State) -> State:
    """A value with null for everything that it leaves out, as Terraform sends it."""
    full: State = {name: value.get(name) for name in block.attributes}
    for name, nested in block.blocks.items():
        given = value.get(name)
        if nested.nesting == "single":
            full[name] = completed(nested.block, given) if isinstance(given, dict) else None
        else:
            full[name] = [completed(nested.block, one) for one in given or []]
    return full


def conformed(block: Block, value: State) -> State:
    """A copy with exactly what the schema has: another version may have made it."""
    full = completed(block, value)
    for name, attribute in block.attributes.items():
        full[name] = _of_type(attribute.type, full[name])
    for name, nested in block.blocks.items():
        inner = full[name]
        if isinstance(inner, list):
            full[name] = [conformed(nested.block, one) for one in inner]
        elif isinstance(inner, dict):
            full[name] = conformed(nested.block, inner)
    return full


def _of_type(notation: TypeNotation, value: Value) -> Value:
    if isinstance(notation, str) or value is None:
        return value
    inner = notation[1]
    if notation[0] == "object" and isinstance(value, dict):
        return {name: _of_type(one, value.get(name)) for name, one in inner.items()}
    if notation[0] == "map" and isinstance(value, dict):
        return {name: _of_type(inner, one) for name, one in value.items()}
    return [_of_type(inner, one) for one in value] if isinstance(value, list) else value


def _drop_unknown(value: Value) -> None:
    """No part of an attribute may stay unknown after apply."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, one in list(items):
        if one is UNKNOWN:
            value[step] = None
        else:
            _drop_unknown(one)


def _value(provider: Provider, request: Request, path: Path, notation: TypeNotation) -> Value:
    dotted = ".".join(step for step in path if isinstance(step, str))
    if dotted in request.kind.computed:
        computed = request.kind.computed[dotted]
        if callable(computed):
            return computed(request, path)
        return request.formatted(computed) if isinstance(computed, str) else computed
    if path == ("id",):
        return request.identity
    if provider.value is not None:
        return provider.value(request, path, notation)
    return placeholder(request, path, notation)


def placeholder(request: Request, path: Path, notation: TypeNotation) -> Value:
    """A value of the right type that nobody can mistake for a real one."""
    if notation == "string":
        seed = f"{request.identity} {request.serial} {path}"
        return f"simulated-{hashlib.sha256(seed.encode()).hexdigest()[:12]}"
    simple = {"number": 0, "bool": False, "dynamic": None}
    if isinstance(notation, str):
        return simple.get(notation)
    if notation[0] == "object":
        return {name: placeholder(request, (*path, name), one) for name, one in notation[1].items()}
    return {} if notation[0] == "map" else []
