"""Diagnostics as SARIF 2.1.0, for code scanning and other tools that keep track of findings."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from clusterprint import __version__
from clusterprint.diagnostic import Diagnostic, Label
from clusterprint.explanation import Explanation

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LINE_END = re.compile("\r\n|\r|\n")
_STDIN = "-"
# A result is the same as before when this is the same; a new way of computing it gets a new name.
_FINGERPRINT = "clusterprintLine/v1"


def render(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, str], *, topics: Mapping[str, Explanation]
) -> str:
    """One run with a result for each diagnostic, and the documentation of the codes that occur.

    `sources` is the text of each file by its name, `topics` the documentation by code.
    """
    codes = sorted({found.code for found in diagnostics})
    lines = {file: _LINE_END.split(text) for file, text in sources.items()}
    seen: Counter[str] = Counter()
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "clusterprint",
                        "version": __version__,
                        "rules": [_rule(code, topics.get(code)) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(found, codes, _fingerprint(found, lines, seen)) for found in diagnostics],
            }
        ],
    }
    return json.dumps(log, indent=2)


def _rule(code: str, topic: Explanation | None) -> dict[str, Any]:
    if topic is None:
        return {"id": code}
    return {
        "id": code,
        "name": topic.name,
        "shortDescription": {"text": topic.title},
        "fullDescription": {"text": topic.docs},
        "help": {"text": f"{topic.docs}\n\nSource: {topic.source}"},
        "defaultConfiguration": {"level": topic.severity.value},
    }


def _result(found: Diagnostic, codes: list[str], fingerprint: str) -> dict[str, Any]:
    message = f"{found.message}\n\n{found.help}" if found.help else found.message
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": codes.index(found.code),
        "level": found.severity.value,
        "message": {"text": message},
        "locations": [_location(found.place)],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    if found.also:
        result["relatedLocations"] = [
            {"id": number, **_location(label)} for number, label in enumerate(found.also, 1)
        ]
    return result


def _location(label: Label) -> dict[str, Any]:
    # Code scanning wants a line even for what is wrong with a file as a whole.
    physical: dict[str, Any] = {"artifactLocation": _artifact(label.file), "region": {"startLine": 1}}
    if label.span is not None:
        line, column, end_line, end_column = label.span
        physical["region"] = {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
    location: dict[str, Any] = {"physicalLocation": physical}
    if label.text:
        location["message"] = {"text": label.text}
    return location


def _artifact(file: str) -> dict[str, str]:
    """A file below the repository's root as a relative reference, any other as an absolute one."""
    path = PurePath(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    name = "stdin" if file == _STDIN else path.as_posix()
    # A colon in the first part would be taken for a scheme: it is escaped like everything unusual.
    return {"uri": quote(name.encode("utf-8", "surrogateescape")), "uriBaseId": "%SRCROOT%"}


def _fingerprint(found: Diagnostic, lines: Mapping[str, list[str]], seen: Counter[str]) -> str:
    """The same as long as code, file and the text of the line are, wherever the line moves to."""
    text = ""
    if found.place.span is not None:
        number = found.place.span.line
        there = lines.get(found.place.file, [])
        text = there[number - 1].strip() if number <= len(there) else ""
    identity = f"{found.code}\0{_artifact(found.place.file)['uri']}\0{text}"
    digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()
    seen[digest] += 1
    return f"{digest[:32]}:{seen[digest]}"
