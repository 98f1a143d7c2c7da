"""Texts without what identifies a project: names, addresses, people. It says what it took out."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from clusterprint.masking import mask_thoroughly

# In the order in which they are looked for: an address may have a name in it.
_FORMS = {
    "e-mail address": re.compile(r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"),
    "bucket": re.compile(r"gs://[\w.-]{1,222}"),
    "project": re.compile(
        r"(?<=projects/)[\w.:-]{1,90}|(?<=project=)[\w.:-]{1,90}|(?<=project )[\"'][\w.:-]{1,90}[\"']"
    ),
    "UUID": re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"),
    "IP address": re.compile(
        r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b(?!\.[0-9])|(?<![\w:])(?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4}|:)(?![\w:])"
    ),
    "number of a project": re.compile(r"\b[0-9]{10,21}\b"),
    "path of this machine": re.compile(
        r"(?<![\w/.])/(?:home|root|tmp|Users|var|private|work)/[^\s:\"',]{1,300}"
    ),
}
# The texts of a blueprint that name what is its owner's, by their field.
_OWN = {
    **dict.fromkeys(("project", "host_project"), "project"),
    **dict.fromkeys(("subscription", "tenant"), "UUID"),
    **dict.fromkeys(("name", "resource_group", "network", "subnetwork", "reservation"), "name"),
    **dict.fromkeys(("bucket",), "bucket"),
}
# Shorter ones are words of any text.
_SHORTEST = 3


def own_names(data: Any) -> dict[str, str]:
    """Names that stand in a blueprint, and the kind of each."""
    found: dict[str, str] = {}
    waiting = [data]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            found |= {
                value: _OWN[key] for key, value in each.items() if key in _OWN and isinstance(value, str)
            }
            waiting += each.values()
        elif isinstance(each, list | tuple):
            waiting += each
    return {name: kind for name, kind in found.items() if len(name) >= _SHORTEST}


def redacted(text: str, names: Mapping[str, str], taken: set[str]) -> str:
    """The text with secrets masked, identifying parts replaced by their kind; `taken` gets the kinds."""
    hidden = mask_thoroughly(text)
    if hidden != text:
        taken.add("secret")
    for name in sorted(names, key=len, reverse=True):
        form = re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")
        hidden = _replaced(hidden, form, names[name], taken)
    for kind, form in _FORMS.items():
        hidden = _replaced(hidden, form, kind, taken)
    return hidden


def _replaced(text: str, form: re.Pattern[str], kind: str, taken: set[str]) -> str:
    changed, count = form.subn(f"[{kind}]", text)
    if count:
        taken.add(kind)
    return changed


def all_redacted(
    texts: Iterable[str], names: Mapping[str, str], taken: set[str], longest: int = 4000
) -> tuple[str, ...]:
    """Several texts, each cut after that: half a secret may not be seen to be one."""
    return tuple(redacted(each, names, taken)[:longest] for each in texts)
