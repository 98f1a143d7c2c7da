"""Policies of organizations that refuse resources of the stacks: a table, and how it is applied.

A row of `policies.json` says under which names the clouds know a policy, and which arguments of which
resources (`finds`) violate it. A find takes the values at a `path`, as far as they match `take`, in the form
`value`; with `is` it yields `value` if the argument is set, unset or has this value. `keys` are keys of the
blueprint, the likeliest first, to which the finding points.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint.doctor.finding import Finding, Findings, Status
from clusterprint.doctor.wanted import Wanted
from clusterprint.document import Document
from clusterprint.review.delta import Resource, leaves

_FILE = Path(__file__).with_suffix(".json")
_OFF = (None, False, "", "false", "FALSE")
_SHOWN = 5
#: Groups of locations and load balancers whose members begin like the group.
_GROUPS = re.compile(r"us|asia|europe|northamerica|southamerica|australia|africa|me|internal|external|.*\d")

Rules = Sequence[Mapping[str, Any]]


class Row(NamedTuple):
    """One policy, and what of the stacks it is about; uncertain where only the cloud knows whom it refuses.

    On Azure, `allowed`, `denied` and `tag` are names of parameters, `effect` is the one by default.
    """

    policies: tuple[str, ...]
    what: str
    help: str
    keys: tuple[str, ...]
    finds: tuple[Mapping[str, str], ...]
    certain: bool = True
    allowed: str = ""
    denied: str = ""
    tag: str = ""
    effect: str = "deny"
    exclude: tuple[str, ...] = ()

    def found(self, resources: Iterable[Resource]) -> Iterator[tuple[Mapping[str, str], Resource]]:
        """The resources that the policy is about."""
        for each in resources:
            if each.type not in self.exclude:
                yield from ((find, each) for find in self.finds if fnmatchcase(each.type, find["type"]))

    def values(self, resources: Iterable[Resource]) -> list[str]:
        """The values that the policy judges; an empty one where it judges that they are there."""
        found = self.found(resources)
        return sorted({value for find, each in found for value in _values(find, each.values)})


@cache
def rows(cloud: str) -> tuple[Row, ...]:
    """The policies of a cloud."""
    return tuple(Row(**each) for each in json.loads(_FILE.read_text("utf-8"))[cloud])


def _at(values: Any, path: str) -> list[Any]:
    """The values at a dotted path of names (with escaped dots) or patterns; for `**`, all."""
    if path == "**":
        return [each for _, each in leaves(values)]
    found = _flat([values])
    for part in re.split(r"(?<!\\)\.", path):
        name = part.replace("\\", "")
        maps = (each.items() for each in found if isinstance(each, Mapping))
        found = _flat([value for each in maps for key, value in each if fnmatchcase(key, name)])
    return found


def _flat(found: list[Any]) -> list[Any]:
    return [inner for each in found for inner in (each if isinstance(each, list) else [each])]


def _values(find: Mapping[str, str], values: Mapping[str, Any]) -> Iterator[str]:
    found = _at(values, find["path"])
    if wanted := find.get("is", "").lower():
        texts = {str(each).lower() for each in found}
        is_set = any(each not in _OFF for each in found)
        known = {"set": is_set, "unset": not is_set, "not false": "false" not in texts}
        if known.get(wanted, wanted in texts):
            yield find.get("value", "")
        return
    for each in found:
        match = re.search(find["take"], each) if isinstance(each, str) and "${" not in each else None
        if match:
            yield match.expand(find.get("value", r"\g<0>"))


def refuses(rules: Rules, value: str) -> bool | None:
    """Whether rules of the form of the Organization Policy API refuse a value; None if nobody here knows."""
    unknown = False
    for rule in rules:
        if rule.get("denyAll") or rule.get("enforce"):
            return True
        named = rule.get("values", {})
        denied = {_matches(each, value) for each in named.get("deniedValues", ())}
        allowed = {_matches(each, value) for each in named.get("allowedValues", ())} or {True}
        if True in denied or allowed == {False}:
            return True
        unknown |= None in denied or True not in allowed
    return None if unknown else False


def _matches(pattern: str, value: str) -> bool | None:
    """Whether a value of a policy is, or contains, a value of the stacks."""
    text = pattern.lower().replace(" ", "")
    kind = next((each for each in ("is:", "in:", "under:") if text.startswith(each)), "")
    name = text.removeprefix(kind)
    given, group = value.lower().replace(" ", ""), name.removesuffix("-locations")
    if kind == "in:":
        inside = given == group or given.startswith((f"{group}-", f"{group}_"))
        # Google alone knows the members of other groups.
        return inside or (False if _GROUPS.fullmatch(group) and group != "northamerica" else None)
    if kind == "under:" and given != name:
        above = given.startswith("projects/") and not name.startswith("projects/")
        return given.startswith(f"{name}/") or (None if above else False)
    return given == name


def judged(row: Row, name: str, rules: Rules, wanted: Wanted, values: Iterable[str]) -> Findings:
    """The values that a policy refuses, and those that it may refuse."""
    verdicts = {value: refuses(rules, value) for value in values}
    refused = [value for value, verdict in verdicts.items() if verdict and row.certain]
    unsure = [value for value, verdict in verdicts.items() if verdict is not False and value not in refused]
    outcomes: tuple[tuple[Status, str, list[str]], ...] = (
        ("lacks", "refuses", refused),
        ("unasked", "may refuse", unsure),
    )
    for status, verb, many in outcomes:
        if many:
            rest = f" and {len(many) - _SHOWN} more" if len(many) > _SHOWN else ""
            what = row.what.format(values=", ".join(many[:_SHOWN]) + rest)
            message = f"{name} {verb} {what} ({_where(wanted.document, row.keys)}): {row.help}"
            yield Finding(wanted.place, "policies", status, message)


def _where(document: Document, keys: Iterable[str]) -> str:
    """The lines of the first of some keys (`key`, or `key=value`) that a blueprint has, else of its name."""
    for each in keys:
        key, _, value = each.partition("=")
        places = [
            document.key_label(place)
            for place, written in document.written.items()
            if place and place[-1] == key and value in {"", written.plain}
        ]
        if places:
            return ", ".join(f"{one.file}:{one.span.line if one.span else 1}" for one in places[:_SHOWN])
    return f"{document.file}:{document.written['name',].key.line}"
