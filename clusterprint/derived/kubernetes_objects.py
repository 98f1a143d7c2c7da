"""Kubernetes objects in YAML, read as kubectl reads them, within limits."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

# Helm keeps a release in one object of at most 1 MiB; no file can be larger than all of it.
MOST_CHARACTERS = 1 << 20
_MOST_VALUES = 50_000
_DEEPEST = 60

_STANDARD = "tag:yaml.org,2002:"
_COLLECTIONS = frozenset((f"{_STANDARD}map", f"{_STANDARD}seq"))
_TEXT = f"{_STANDARD}str"
_SCALARS = frozenset(
    (_TEXT, *(f"{_STANDARD}{tag}" for tag in ("int", "float", "bool", "null", "timestamp", "merge", "value")))
)

# kubectl reads YAML 1.1, where `yes` is true and 0644 is octal.
_TRUE = frozenset(["true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y"])
_FALSE = frozenset(["false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N"])
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_INTEGER = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]*|[1-9][0-9]*)")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


T = TypeVar("T")


class NotReadable(ValueError):  # noqa: N818 - no failure of ours
    """A text that holds no objects that could be applied; the message says why, `line` where."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class Found(NamedTuple):
    """An object, and the line where it begins."""

    content: dict[str, Any]
    line: int

    @property
    def kind(self) -> str:
        """Its kind."""
        return str(self.content["kind"])

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.content["metadata"]["name"])

    @property
    def namespace(self) -> str:
        """Its namespace, or an empty text."""
        return str(self.content["metadata"].get("namespace") or "")

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """The identity of an object, which is unique in a cluster."""
        group = str(self.content["apiVersion"]).rpartition("/")[0]
        return group, self.kind, self.namespace, self.name

    @property
    def key(self) -> str:
        """The name of the object in its release."""
        return "/".join(filter(None, self.identity))


def read_objects(text: str) -> list[Found]:
    """All objects of a text, those of lists too. Raises NotReadable."""
    return _reading(text, lambda documents: [found for each in documents for found in _objects(each)])


def read_values(text: str) -> Any:
    """The one document of a text as plain data, None for an empty one. Raises NotReadable."""
    return _reading(text, _only)


def _reading(text: str, read: Callable[[Iterator[Node | None]], T]) -> T:
    """The result of `read` for the documents of a text; every error becomes NotReadable."""
    if len(text) > MOST_CHARACTERS:
        raise NotReadable("is larger than 1 MiB, and Helm keeps no release that large")
    try:
        return read(YAML(typ="safe", pure=True).compose_all(text))
    except RecursionError:
        raise NotReadable("is nested too deeply") from None
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise NotReadable(f"is not valid YAML: {error.problem}", line) from None
    except YAMLError as error:
        raise NotReadable(f"is not valid YAML: {str(error).splitlines()[0]}") from None


def _only(documents: Iterator[Node | None]) -> Any:
    found = list(documents)
    if len(found) > 1:
        raise NotReadable("holds more than one document")
    return _Reader().value(found[0]) if found and found[0] is not None else None


def _objects(document: Node | None) -> Iterator[Found]:
    if document is None:
        return
    line = document.start_mark.line + 1
    content = _Reader().value(document)
    if content is None:
        return
    if not isinstance(content, dict):
        raise NotReadable("holds something that is not an object", line)
    items = content.get("items")
    if content.get("kind") == "List" and isinstance(items, list):
        for each in items:
            yield _checked(each, line)
    else:
        yield _checked(content, line)


def _checked(content: Any, line: int) -> Found:
    if not isinstance(content, dict):
        raise NotReadable("holds something that is not an object", line)
    metadata = content.get("metadata")
    for key in ("apiVersion", "kind"):
        if not isinstance(content.get(key), str) or not content[key]:
            raise NotReadable(f"holds an object without {key}", line)
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str) or not metadata["name"]:
        raise NotReadable(f"holds a {content['kind']} without metadata.name", line)
    return Found(content, line)


class _Reader:
    """Nodes to plain data; aliases are written out, within limits."""

    def __init__(self) -> None:
        self._values = 0

    def value(self, node: Node, depth: int = 0) -> Any:
        line = node.start_mark.line + 1
        self._values += 1
        if self._values > _MOST_VALUES:
            raise NotReadable(f"holds more than {_MOST_VALUES:,} values, with aliases written out", line)
        if depth > _DEEPEST:
            raise NotReadable("is nested too deeply", line)
        if isinstance(node, ScalarNode):
            return _scalar(node, line)
        if str(node.tag) not in _COLLECTIONS:
            raise _foreign(node, line)
        if isinstance(node, SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        return self._map(node, depth) if isinstance(node, MappingNode) else None

    def _map(self, node: MappingNode, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                raise NotReadable("has a key that is not text", line)
            key, value = key_node.value, self.value(value_node, depth + 1)
            if key == "<<":
                for each in value if isinstance(value, list) else [value]:
                    if not isinstance(each, dict):
                        raise NotReadable("merges something that is not a map", line)
                    merged = {**each, **merged}
            elif key in made:
                raise NotReadable(f"has the key {key!r} twice in one map", line)
            else:
                made[key] = value
        return {**merged, **made}


def _scalar(node: ScalarNode, line: int) -> Any:
    text: str = node.value
    if _CONTROL.search(text):
        raise NotReadable("holds a control character, which cannot be carried into the cluster", line)
    if str(node.tag) not in _SCALARS:
        raise _foreign(node, line)
    if node.style is not None:
        return text
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if str(node.tag) == _TEXT:
        return text
    if _INTEGER.fullmatch(text):
        return _integer(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def _foreign(node: Node, line: int) -> NotReadable:
    return NotReadable(
        f"uses the tag {str(node.tag).replace(_STANDARD, '!!')}, which is not plain data", line
    )


def _integer(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-").lower()
    for prefix, base in (("0x", 16), ("0b", 2), ("0o", 8)):
        if digits.startswith(prefix):
            return sign * int(digits[2:] or "0", base)
    return sign * int(digits, 8 if digits.startswith("0") else 10)
