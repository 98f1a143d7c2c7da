"""The effects of another version of a Terraform provider on the resources of a stack, by facts of both."""

import importlib.resources
import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from clusterprint.review.stack_file import Stack
from clusterprint.words import counted, listed


class _Upgrade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    provider: str
    from_: int = msgspec.field(name="from")
    to: int
    source: str
    # By type and argument: before and after.
    defaults: dict[str, dict[str, tuple[Any, Any]]] = {}
    renamed: dict[str, dict[str, str]] = {}


@cache
def known_upgrades() -> tuple[_Upgrade, ...]:
    """The upgrades to another major version that there are facts about."""
    file = importlib.resources.files("clusterprint.review.facts").joinpath("provider_upgrades.json")
    return msgspec.json.decode(file.read_bytes(), type=tuple[_Upgrade, ...])


def in_terms_of(stack: Stack | None, other: Stack | None) -> Stack | None:
    """The stack, with arguments by the names that later providers of the other stack have for them."""
    if stack is None or other is None:
        return stack
    names: dict[str, dict[str, str]] = {}
    for provider, was, now in _changed(stack, other):
        for one in _between(provider, was, now):
            names |= one.renamed
    resources = {
        address: each._replace(values=_renamed(each.values, names[each.type])) if each.type in names else each
        for address, each in stack.resources.items()
    }
    return stack._replace(resources=resources) if names else stack


def told(old: Mapping[str, Stack], new: Mapping[str, Stack]) -> Iterator[str]:
    """A sentence for each provider whose version differs, once for all stacks of a cluster."""
    stacks = sorted({*old} & {*new})
    for provider, was, now in dict.fromkeys(
        each for name in stacks for each in _changed(old[name], new[name])
    ):
        yield " ".join(_sentences(provider, was, now, [new[name] for name in stacks]))


def _sentences(provider: str, was: str, now: str, stacks: list[Stack]) -> Iterator[str]:
    yield f"The Terraform provider {provider} changes from {was} to {now}."
    ups = [*_between(provider, was, now)]
    back = _numbers(now) < _numbers(was)
    known = ups or [*_between(provider, now, was)]
    if not known:
        yield "What differs between the two is not known here: the first plan shows it."
    else:
        used = {each.type for stack in stacks for each in stack.resources.values()}
        renamed = {path for one in known for type_ in used for path in one.renamed.get(type_, {}).values()}
        if renamed:
            names = listed([f"`{path}`" for path in sorted(renamed)], "and")
            yield f"It has other names for {names}, with the same values."
        moved = [each for one in known for each in _moved(one, stacks, back=back)]
        yield from moved
        nothing = "Nothing else" if renamed or moved else "Nothing"
        sources = listed([one.source for one in known], "and")
        yield f"{nothing} that these stacks leave to the provider differs, by {sources}."
    if back:
        yield f"A state that {was} has written may be too new for {now}: there may be no way back."


def _moved(one: _Upgrade, stacks: list[Stack], *, back: bool) -> Iterator[str]:
    """Defaults that a resource leaves to the provider, and that another version has otherwise."""
    for type_, arguments in one.defaults.items():
        resources = [each for stack in stacks for each in stack.resources.values() if each.type == type_]
        for path, values in arguments.items():
            left = sum(path not in each.values for each in resources)
            if left:
                before, after = (json.dumps(each) for each in (reversed(values) if back else values))
                where = f"{counted(left, 'resource')} of type {type_}"
                yield f"The default of `{path}` goes from {before} to {after} in {where}."


def _changed(old: Stack, new: Stack) -> Iterator[tuple[str, str, str]]:
    was, now = (each.rest.get("required_providers", {}) for each in (old, new))
    for provider in sorted({*was} & {*now}):
        versions = [str(side[provider].get("version", "")) for side in (was, now)]
        if versions[0] != versions[1] and all(_numbers(each) for each in versions):
            yield provider, versions[0], versions[1]


def _between(provider: str, was: str, now: str) -> Iterator[_Upgrade]:
    """The changes of major versions on the way up."""
    for one in known_upgrades():
        if one.provider == provider and _numbers(was)[0] <= one.from_ and one.to <= _numbers(now)[0]:
            yield one


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(map(int, parts)) if all(each.isdecimal() for each in parts) else ()


def _renamed(values: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    for old, new in names.items():
        values = _moved_to(values, old.split("."), new.split("."))
    return values


def _moved_to(values: dict[str, Any], old: list[str], new: list[str]) -> dict[str, Any]:
    """The values with one argument by its other name; a list may become blocks with one argument each."""
    if old[0] not in values:
        return values
    rest = {key: each for key, each in values.items() if key != old[0]}
    value = values[old[0]]
    if len(old) > 1:
        blocks = value if isinstance(value, list) else [value]
        made = [_moved_to(each, old[1:], new[1:]) if isinstance(each, dict) else each for each in blocks]
        return {**rest, old[0]: made if isinstance(value, list) else made[0]}
    if len(new) > 1 and isinstance(value, list):
        return {**rest, new[0]: [{new[1]: each} for each in value]}
    return {**rest, new[0]: value}
