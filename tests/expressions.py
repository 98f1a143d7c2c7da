"""Expressions of GitHub workflows, as far as ours go: `${{ inputs.a == 'b' && !cancelled() }}`."""

import json
import re
from collections.abc import Mapping
from typing import Any

_TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(&&|\|\||==|!=|!|[()\[\].,*])|([A-Za-z_][A-Za-z0-9_-]*)|(\d+))")
_INSERTED = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)


def evaluate(text: str, contexts: Mapping[str, Any]) -> Any:
    """The value of one expression."""
    tokens = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        assert match, f"not understood: {text[place:]}"
        tokens.append(match[0].strip())
        place = match.end()
    reader = _Reader(tokens, contexts)
    value = reader.either()
    assert not reader.tokens, f"left over in {text}: {reader.tokens}"
    return value


def insert(text: Any, contexts: Mapping[str, Any]) -> str:
    """A text with the values of all expressions in it."""
    return _INSERTED.sub(lambda match: as_text(evaluate(match[1], contexts)), as_text(text))


def as_text(value: Any) -> str:
    """How GitHub writes a value into a text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else "Object"


class _Reader:
    def __init__(self, tokens: list[str], contexts: Mapping[str, Any]) -> None:
        self.tokens = tokens
        self._contexts = contexts

    def _take(self, *wanted: str) -> str | None:
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in wanted else None

    def either(self) -> Any:
        value = self._both()
        while self._take("||"):
            other = self._both()
            value = value or other
        return value

    def _both(self) -> Any:
        value = self._compared()
        while self._take("&&"):
            other = self._compared()
            value = value and other
        return value

    def _compared(self) -> Any:
        value = self._one()
        while sign := self._take("==", "!="):
            other = self._one()
            # Without case, and nothing is the same as an empty text.
            same = as_text(value).lower() == as_text(other).lower()
            value = same if sign == "==" else not same
        return value

    def _one(self) -> Any:
        if self._take("!"):
            return not self._one()
        if self._take("("):
            value = self.either()
            assert self._take(")")
            return value
        token = self.tokens.pop(0)
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if token.isdigit():
            return int(token)
        return self._called(token) if self._take("(") else self._looked_up(self._contexts[token])

    def _called(self, name: str) -> Any:
        if self._take(")"):
            return {"always": True, "success": self._contexts.get("success", True)}[name]
        value = self.either()
        assert self._take(")")
        assert name == "toJSON", name
        return json.dumps(value)

    def _looked_up(self, value: Any) -> Any:
        while self._take("."):
            key = self.tokens.pop(0)
            if key == "*":
                value = list(value or [])
            elif isinstance(value, list):
                value = [each.get(key) for each in value]
            else:
                value = value.get(key) if isinstance(value, Mapping) else None
        return value
