"""`clusterprint explain`: what a problem code or a key of a blueprint means."""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import click

from clusterprint import rules
from clusterprint.cli import explain_pages
from clusterprint.cli.completion import names_to_explain
from clusterprint.cli.explain_topics import all_topics, groups
from clusterprint.cli.output import FORMAT, say
from clusterprint.describe import (
    Field,
    UnknownField,
    all_fields,
    allowed,
    example,
    facts,
    field,
    kinds,
    type_in_words,
)
from clusterprint.explanation import Explanation
from clusterprint.validate import wording
from clusterprint.words import did_you_mean
from clusterprint.words.guesses import alike

_SUGGESTED = 3


@click.command("explain")
@click.argument("name", required=False, shell_complete=names_to_explain)
@FORMAT
def explain(name: str | None, form: str) -> None:
    """Explain a problem or a field.

    Without a name, all of them are listed. NAME is the code of a problem (GCP001) or its name
    (zone_outside_region), a kind of cluster (vm), or a key of one (vm.nodes.capacity). Keys of list items are
    written without a position (vm.storage.volumes.name).
    """
    found = None if name is None else _find(name)
    if form == "json":
        say(json.dumps(_data(found), indent=2))
    else:
        say(_page(found))


def _page(found: Explanation | Field | None) -> str:
    if found is None:
        return explain_pages.index(kinds(), groups())
    return explain_pages.of_topic(found) if isinstance(found, Explanation) else explain_pages.of_field(found)


# ---- what is meant


def _find(name: str) -> Explanation | Field:
    topics = all_topics()
    if name.upper() in topics:
        return topics[name.upper()]
    names = {topic.name: topic for topic in topics.values()}
    snake = name.lower().replace("-", "_")
    if snake in names:
        return names[snake]
    try:
        return field(name)
    except UnknownField as unknown:
        message = (
            _unknown_name(name, topics, names)
            if unknown.near is None
            else _unknown_key(unknown, unknown.near)
        )
        raise click.UsageError(message) from None


def _unknown_key(unknown: UnknownField, near: Field) -> str:
    """The message for an unknown key below a known kind."""
    if not near.keys:
        return f"{near.name} has no keys below it: it accepts {type_in_words(near.schema)}"
    known = [each.key for each in near.keys]
    meant = wording.closest(unknown.key, known)
    place = [near.name, meant, *unknown.rest]
    help_text = _did_you_mean(_as_far_as_right(place) if meant else _ends_with(unknown.key, near.kind))
    listed = explain_pages.fill(", ".join(known), f"keys of {near.name}: ")
    return f"{near.name} has no key {unknown.key!r}{help_text}\n{listed}"


def _as_far_as_right(place: Sequence[str]) -> list[str]:
    try:
        return [field(".".join(place)).name]
    except UnknownField as unknown:
        return [unknown.near.name] if unknown.near else []


def _unknown_name(name: str, topics: Collection[str], names: Iterable[str]) -> str:
    """The message for a path of which nothing is known; most often the kind was left out."""
    meant = [place for kind in kinds() for place in _ends_with(name, kind)]
    code = re.fullmatch(r"([A-Z]+)([0-9]{1,3})", name.upper())
    if code and f"{code[1]}{int(code[2]):03}" in topics:
        meant.append(f"{code[1]}{int(code[2]):03}")
    if not meant:
        fields = [each.name for kind in kinds() for each in all_fields(kind)]
        written = name.replace("-", "_")
        meant = alike(written, (*topics, *names, *fields), plain=str.lower, most=_SUGGESTED)
    help_text = _did_you_mean(meant)
    return (
        f"there is no problem, kind or key {name!r}{help_text}\n"
        "`clusterprint explain` lists all kinds and problems"
    )


def _ends_with(end: str, top: Field) -> list[str]:
    """The fields below `top` that are written like this at their end."""
    return [each.name for each in all_fields(top) if each.name.endswith(f".{end}")]


def _did_you_mean(places: list[str]) -> str:
    return f"; {did_you_mean(*places[:_SUGGESTED])}" if places else ""


# ---- the same for tools: all keys are always there


def _data(found: Explanation | Field | None) -> dict[str, Any]:
    if found is None:
        return {
            "about": "everything",
            "kinds": [{"name": kind.name, "description": kind.description} for kind in kinds()],
            "groups": [
                {"title": group.title, "problems": [_topic_data(topic) for topic in group.topics]}
                for group in groups()
            ],
        }
    if isinstance(found, Explanation):
        return {"about": "problem", **_topic_data(found)}
    return {"about": "key", **_field_data(found)}


def _topic_data(topic: Explanation) -> dict[str, Any]:
    return {
        "code": topic.code,
        "name": topic.name,
        "severity": topic.severity.value,
        "what": topic.title,
        "why": topic.why,
        "remedy": topic.help,
        "source": topic.source,
        "can_be_ignored": topic.code in rules.soft_codes(),
    }


def _field_data(found: Field) -> dict[str, Any]:
    return {
        "name": found.name,
        "description": found.description,
        "required": found.required,
        "default": found.schema.get("default"),
        "facts": dict(facts(found)),
        "allowed": [value._asdict() for value in allowed(found.schema)],
        "example": example(found.schema),
        "keys": [
            {"name": key.key, "required": key.required, "description": key.description} for key in found.keys
        ],
    }
