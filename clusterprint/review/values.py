"""Changed arguments as people read them: short paths, short values, scripts as what changed, no secrets."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from clusterprint.masking import is_secret_name, mask_thoroughly
from clusterprint.review.delta import Delta
from clusterprint.review.differences import ABSENT, Difference, Path, differences, dotted
from clusterprint.review.model import DiffLine, Value, ValueChange
from clusterprint.review.texts import diff_lines, readable
from clusterprint.terraform_text import plain
from clusterprint.words import counted

# Longer values are cut: a report is no place for them, and they are in the Terraform JSON.
LONGEST = 300

_WHOLE_REFERENCE = re.compile(r"\$\{([^{}]*)\}")
_ABSENT = Value(state="absent")
_UNKNOWN = Value(state="unknown")
_SENSITIVE = Value(state="sensitive")

# Changes with every change of the content, and says nothing to people.
_NOISE = frozenset({"etag", "fingerprint", "metadata_fingerprint", "tags_fingerprint", "label_fingerprint"})


def value_changes(delta: Delta) -> tuple[ValueChange, ...]:
    """The differences of both sides; for an added resource, all arguments."""
    before = delta.before.values if delta.before else {}
    after = delta.after.values if delta.after else {}
    if delta.action in ("removed", "forgotten", None) or (delta.action == "moved" and before == after):
        return ()
    found = [each for each in differences(before, after) if not _is_noise(each, delta)]
    lengths = _lengths(before) | _lengths(after)
    changes = [_change(each, delta, short_path(each.path, lengths)) for each in found]
    told = {dotted(each.path) for each in found}
    if not delta.certain:
        # Terraform's own plan tells these in its values.
        changes += [_learned(path, before) for path in sorted(delta.unknown) if path not in told]
    return tuple(changes)


def short_path(path: Path, lengths: Counter[Path]) -> str:
    """A path as people write it: `network_interface[1].subnetwork`, without the position of a lone block."""
    text = ""
    for index, part in enumerate(path):
        if isinstance(part, int):
            text += f"[{part}]" if lengths[path[:index]] > 1 else ""
        elif re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part)}]"
    return text


def shown(value: Any) -> str:
    """A value in one line, without what looks like a secret."""
    if isinstance(value, str):
        whole = _WHOLE_REFERENCE.fullmatch(value)
        text = whole[1] if whole else plain(value)
    else:
        text = json.dumps(_veiled(value), ensure_ascii=False, sort_keys=True)
    text = mask_thoroughly(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 30]} ... ({len(text):,} characters)"


def _veiled(value: Any) -> Any:
    """A tree without the values whose names say that they are secret."""
    if isinstance(value, dict):
        return {
            key: "(sensitive)"
            if is_secret_name(str(key)) and not isinstance(each, dict | list)
            else _veiled(each)
            for key, each in value.items()
        }
    return [_veiled(each) for each in value] if isinstance(value, list) else value


def is_sensitive(path: str, sensitive: frozenset[str], value: Any = ABSENT) -> bool:
    """Whether a value is marked, lies in or holds something that is, or is called like a secret."""
    last = path.rpartition(".")[2]
    return (
        any(path == each or path.startswith(f"{each}.") or each.startswith(f"{path}.") for each in sensitive)
        or "" in sensitive
        or (is_secret_name(last) and not isinstance(value, dict | list))
    )


def _is_noise(difference: Difference, delta: Delta) -> bool:
    name = difference.dotted
    if name.rpartition(".")[2] in _NOISE:
        return True
    # What the provider computes anew is unknown on one side, and no change that anybody asked for.
    computed = delta.action == "replaced" and difference.after is ABSENT and _is_marked(name, delta.unknown)
    return computed and name not in {forced.path for forced in delta.forced}


def _is_marked(path: str, marks: frozenset[str]) -> bool:
    return any(path == each or path.startswith(f"{each}.") for each in marks)


def _change(difference: Difference, delta: Delta, path: str) -> ValueChange:
    before, after = difference.before, difference.after
    name = difference.dotted
    if is_sensitive(name, delta.sensitive, after if before is ABSENT else before):
        return ValueChange(path=path, before=_hidden(before, _SENSITIVE), after=_hidden(after, _SENSITIVE))
    unknown = _is_marked(name, delta.unknown)
    diff = () if unknown else _diff(before, after, name)
    if diff:
        return ValueChange(path=path, before=_text(before), after=_text(after), diff=diff)
    return ValueChange(path=path, before=_value(before), after=_UNKNOWN if unknown else _value(after))


def _hidden(value: Any, mark: Value) -> Value:
    return _ABSENT if value is ABSENT or value is None else mark


def _value(value: Any) -> Value:
    return _ABSENT if value is ABSENT or value is None else Value(state="known", text=shown(value))


def _text(value: Any) -> Value:
    """A text that has a diff is only counted here."""
    text = readable(value, "") if isinstance(value, str) else None
    if text is None:
        return _value(value)
    lines = len(text.splitlines())
    return Value(state="known", text=counted(lines, "line"))


def _diff(before: Any, after: Any, name: str) -> tuple[DiffLine, ...]:
    old = readable(before, name) if isinstance(before, str) else None
    new = readable(after, name) if isinstance(after, str) else None
    if old is None and new is None:
        return ()
    return diff_lines(old or "", new or "")


def _learned(path: str, before: Any) -> ValueChange:
    """An argument that is given what only becomes known later."""
    value: Any = before
    for part in path.split("."):
        value = value[0] if isinstance(value, list) and value else value
        value = value.get(part, ABSENT) if isinstance(value, dict) else ABSENT
    known = isinstance(value, str | int | float | bool) and not is_secret_name(path.rpartition(".")[2])
    return ValueChange(path=path, before=_value(value) if known else _ABSENT, after=_UNKNOWN)


def _lengths(values: Any) -> Counter[Path]:
    """How long each list in a tree is."""
    return Counter(dict(_list_lengths(values, ())))


def _list_lengths(value: Any, path: Path) -> Iterator[tuple[Path, int]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _list_lengths(each, (*path, key))
    elif isinstance(value, list):
        yield path, len(value)
        for index, each in enumerate(value):
            yield from _list_lengths(each, (*path, index))
