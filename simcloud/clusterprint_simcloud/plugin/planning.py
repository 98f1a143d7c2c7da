"""Plan one resource: defaults, what is inherited, what is known only after apply, what forces replacement."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial

from clusterprint_simcloud.arguments import Arguments
from clusterprint_simcloud.cloud.behaviour import Plan, Provider, ResourceType
from clusterprint_simcloud.schema import Block, TypeNotation
from clusterprint_simcloud.values import UNKNOWN, Path, Value, at, differ, is_set, look_up, replace


def plan(provider: Provider, kind: ResourceType, block: Block, draft: Plan) -> None:
    """Complete `draft.state` and `draft.replace` in place, as the provider would."""
    _fill_defaults(kind.arguments, draft.state)
    _fill_inherited(provider, kind, draft)
    if not provider.framework:
        _write_as_the_sdk(block, draft.state)
    for name, value in provider.given.items():
        if name in draft.state and block.attributes[name].computed and draft.config.get(name) is None:
            draft.state[name] = value
    if draft.prior is None:
        _each_computed(block, draft.config, draft.state, lambda: UNKNOWN)
    else:
        _keep_same_spelling(kind, draft.prior, draft.state)
    _keep_computed_blocks(kind.arguments, block, draft)
    for step in (*provider.planned, *kind.planned):
        step(draft)
    if draft.prior is not None:
        draft.replace += [
            path for path in _replacing(kind, draft.prior, draft.state) if path not in draft.replace
        ]
        changed = any(differ(draft.prior.get(name), value) for name, value in draft.state.items())
        _each_computed(block, draft.config, draft.state, lambda: UNKNOWN if changed else None)


def _fill_defaults(arguments: Arguments, state: Value) -> None:
    for name, argument in arguments.items():
        if argument.default is not None:
            replace(state, name, partial(_or_default, argument.default))


def _fill_inherited(provider: Provider, kind: ResourceType, draft: Plan) -> None:
    late = provider.inherited_late.get(kind.name, ())
    for name in provider.inherited:
        given = draft.provider_config.get(name)
        if name not in late and name in draft.state and draft.state[name] is None and given is not None:
            draft.state[name] = given


def _write_as_the_sdk(block: Block, state: Value, *, in_set: bool = False) -> None:
    """Ways of the providers' SDK: a list is unknown as soon as an element is; in a set nothing is null."""
    for name, attribute in block.attributes.items():
        value = state.get(name)
        if isinstance(value, list) and any(one is UNKNOWN for one in value):
            state[name] = UNKNOWN
        elif in_set and value is None and not attribute.computed:
            state[name] = _zero(attribute.type)
    for name, nested in block.blocks.items():
        inner = state.get(name)
        for element in inner if isinstance(inner, list) else ():
            if isinstance(element, dict):
                _write_as_the_sdk(nested.block, element, in_set=in_set or nested.nesting == "set")


def _zero(notation: TypeNotation) -> Value:
    if isinstance(notation, str):
        return {"string": "", "number": 0, "bool": False}.get(notation)
    return {} if notation[0] in ("map", "object") else []


def _or_default(default: Value, value: Value) -> Value:
    return copy.copy(default) if value is None else value


def _each_computed(block: Block, config: Value, state: Value, make: Callable[[], Value]) -> None:
    """Put a value into every computed attribute that neither the configuration nor the prior state gives."""
    for name, attribute in block.attributes.items():
        given = config.get(name) if isinstance(config, dict) else None
        if attribute.computed and given is None and state.get(name) is None:
            state[name] = make()
    for name, nested in block.blocks.items():
        inner = state.get(name)
        given = config.get(name) if isinstance(config, dict) else None
        for index, element in enumerate(inner if isinstance(inner, list) else [inner]):
            if not isinstance(element, dict):
                continue
            ordered = nested.nesting == "list" and isinstance(given, list) and index < len(given)
            counterpart = given[index] if ordered and isinstance(given, list) else given
            _each_computed(nested.block, counterpart, element, make)


def _keep_computed_blocks(arguments: Arguments, block: Block, draft: Plan) -> None:
    """A block that the cloud fills in is unknown at first, and then stays as it is."""
    for name, argument in arguments.items():
        if not argument.computed or not _is_block(block, name):
            continue
        for steps, value in list(at(draft.state, name)):
            if is_set(value):
                continue
            kept = UNKNOWN if draft.prior is None else look_up(draft.prior, steps)
            holder = look_up(draft.state, steps[:-1])
            holder[steps[-1]] = copy.deepcopy(kept) or []


def _is_block(block: Block, path: str) -> bool:
    head, _, rest = path.partition(".")
    return head in block.blocks and (not rest or _is_block(block.blocks[head].block, rest))


def _keep_same_spelling(kind: ResourceType, prior: Value, state: Value) -> None:
    """Where a name and a link mean the same resource, the provider keeps what it had and shows no change."""
    for reference in kind.references:
        pairs = _pairs(reference.path, prior, state)
        for holder, name, before, after in pairs:
            if (
                isinstance(before, str)
                and isinstance(after, str)
                and before
                and reference.same(before, after)
            ):
                holder[name] = before


def _pairs(path: str, prior: Value, state: Value) -> Iterator[tuple[Value, str, Value, Value]]:
    """(holder in `state`, name, prior value, new value) for every place that exists in both."""
    head, _, rest = path.partition(".")
    if not isinstance(prior, dict) or not isinstance(state, dict) or head not in prior or head not in state:
        return
    if not rest:
        yield state, head, prior[head], state[head]
    elif isinstance(prior[head], list) and isinstance(state[head], list):
        for one, other in zip(prior[head], state[head], strict=False):
            yield from _pairs(rest, one, other)
    else:
        yield from _pairs(rest, prior[head], state[head])


def _replacing(kind: ResourceType, prior: Value, state: Value) -> Iterator[Path]:
    for name, argument in kind.arguments.items():
        if argument.force_new:
            yield from _changed(name, prior, state, deep=argument.deep)


def _changed(
    path: str, prior: Value, state: Value, prefix: Path = (), *, deep: bool = False
) -> Iterator[Path]:
    """The concrete paths below `prefix` that the dotted path names and whose values differ."""
    head, _, rest = path.partition(".")
    before = prior.get(head) if isinstance(prior, dict) else None
    after = state.get(head) if isinstance(state, dict) else None
    if not rest:
        grown = isinstance(before, list) and isinstance(after, list) and _are_blocks([*before, *after])
        # A block that forces replacement does so by its presence; its arguments say so for themselves.
        if (len(before or []) != len(after or [])) if grown and not deep else differ(before, after):
            yield (*prefix, head)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _changed(rest, one, other, (*prefix, head, index), deep=deep)
    elif isinstance(before, dict) and isinstance(after, dict):
        yield from _changed(rest, before, after, (*prefix, head), deep=deep)


def _are_blocks(values: list[Value]) -> bool:
    return bool(values) and all(isinstance(value, dict) for value in values)
