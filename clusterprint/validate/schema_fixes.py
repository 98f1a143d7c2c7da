"""Fixes for values that the schema refuses, if only one is possible."""

import json
import re

from clusterprint import did_you_mean
from clusterprint.load.scalars import UnusableNumberError, resolve
from clusterprint.validate import synonyms, wording
from clusterprint.validate.proposals import propose
from clusterprint.validate.validator import Schema, accepts
from clusterprint.words.letters import make_plain

# Nothing that has a name in the catalog has a longer one, and comparing long texts takes long.
_LONGEST = 100
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*")
# Text to us, and not to readers of YAML 1.1.
_OLD_SWITCHES = frozenset(("yes", "no", "on", "off", "y", "n"))


def of_value(keyword: str, value: object, plain: str | None, schema: Schema) -> str | None:
    """The value as YAML; None if it is not clear what is meant.

    `keyword` is what the schema refuses it by, `plain` its text if it was not quoted.
    """
    if keyword == "type":
        return _of_type(value, plain, schema)
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    if keyword == "enum":
        allowed = [each for each in schema["enum"] if isinstance(each, str)]
        meant = wording.closest(make_plain(value), allowed) or synonyms.value_for(value, allowed)
    elif keyword == "pattern" and "nameOf" in schema:
        meant = did_you_mean.only(schema["nameOf"], make_plain(value).strip())
    else:
        meant = propose(value, schema) if keyword == "pattern" else ""
    return as_yaml(meant) if meant and accepts(schema, meant) else None


def _of_type(value: object, plain: str | None, schema: Schema) -> str | None:
    wanted = schema["type"]
    if wanted == "string" and plain is not None and value is not None and accepts(schema, plain):
        return json.dumps(plain)
    if (
        wanted in ("integer", "number")
        and isinstance(value, str)
        and re.fullmatch(r"-?[1-9][0-9]{0,15}", value)
    ):
        return value if accepts(schema, int(value)) else None
    if wanted == "boolean" and isinstance(value, str):
        return {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(value.lower())
    return None


def as_yaml(text: str) -> str:
    """A text as YAML: in quotes unless it is a word that is nothing else."""
    if _WORD.fullmatch(text) and text.lower() not in _OLD_SWITCHES and _is_text(text):
        return text
    return json.dumps(text, ensure_ascii=False)


def _is_text(plain: str) -> bool:
    try:
        return isinstance(resolve(plain), str)
    except UnusableNumberError:
        return False
