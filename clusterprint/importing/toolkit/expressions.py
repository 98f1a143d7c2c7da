"""References in blueprints of Cluster Toolkit: `$(vars.x)` and `((...))`."""

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

_REFERENCE = re.compile(r"(?<!\\)\$\(\s*vars\.([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*\)")
_COMPUTED = re.compile(r"(?<!\\)\$\(|^\s*\(\(")
_OUTPUT = re.compile(r"\$\(\s*([A-Za-z_][\w-]*)\.[\w.\[\]]+\s*\)")
_EXPRESSION = re.compile(r"\$\(.*\)", re.DOTALL)
_OUTPUTS = re.compile(r"(?<![\w.\"-])([A-Za-z_][\w-]*)\.[A-Za-z_]")
_DEEPEST = 20
# Letters and items of one variable, and of all that references of a file become together.
_LARGEST, _MOST = 100_000, 2_000_000


class Unresolved(Exception):  # noqa: N818 - it is an expression, not a failure
    """An expression that only Toolkit or Terraform can evaluate, or that lacks the variable `missing`."""

    def __init__(self, why: str, missing: str = "") -> None:
        super().__init__(why)
        self._missing = missing

    @property
    def help(self) -> str:
        """The help for the message."""
        missing = self._missing
        return f"give it with --var {missing}=..., or in a deployment file" if missing else "write its result"


class Variables(dict[str, Any]):
    """The variables of a file; each is evaluated once, within limits."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self._found: dict[str, tuple[Any, int]] = {}
        self._left = _MOST

    def resolve(self, value: Any, depth: int = 0) -> Any:
        """A copy of a value with what variables say in place of references to them. Raises Unresolved."""
        if depth > _DEEPEST:
            raise Unresolved(f"it refers to itself, or through more than {_DEEPEST} variables")
        self._spend(1)
        if isinstance(value, dict):
            return {key: self.resolve(each, depth + 1) for key, each in value.items()}
        if isinstance(value, list):
            return [self.resolve(each, depth + 1) for each in value]
        if not isinstance(value, str):
            return value
        if whole := _REFERENCE.fullmatch(value.strip()):
            return self._variable(whole[1], depth + 1)
        if _COMPUTED.search(_REFERENCE.sub("", value)):
            raise Unresolved("it is an expression, which only Cluster Toolkit evaluates")
        text = _REFERENCE.sub(lambda match: self._inside(match[1], depth + 1), value)
        return text.replace("\\$(", "$(").replace("\\((", "((")

    def _inside(self, name: str, depth: int) -> str:
        found = self._variable(name, depth)
        if isinstance(found, bool):
            return str(found).lower()
        if not isinstance(found, str | int | float):
            raise Unresolved(f"vars.{name} is not text")
        return str(found)

    def raw(self, path: str) -> Any:
        """The value of a variable, or of a key of its map, with its references; None without it."""
        name, *keys = path.split(".")
        found = self.get(name)
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        return found

    def _variable(self, path: str, depth: int) -> Any:
        name, *keys = path.split(".")
        if self.get(name) is None:
            raise Unresolved(f"vars.{name} {'has no value' if name in self else 'does not exist'}", name)
        if name not in self._found:
            found = self.resolve(self[name], depth)
            self._found[name] = found, _size(found)
        found, size = self._found[name]
        if size > _LARGEST:
            raise Unresolved(f"vars.{name} becomes more than {_LARGEST:,} letters and items")
        for key in keys:
            if not isinstance(found, dict) or found.get(key) is None:
                raise Unresolved(f"vars.{path} has no value", name)
            found = found[key]
        self._spend(_size(found) if keys else size)
        return deepcopy(found)

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise Unresolved(f"references of this file become more than {_MOST:,} letters and items")


def _size(value: Any) -> int:
    if isinstance(value, dict | list):
        return 1 + sum(map(_size, value.values() if isinstance(value, dict) else value))
    return len(value) if isinstance(value, str) else 1


def referred(value: Any) -> set[str]:
    """The variables that a value names."""
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return {name for each in inside for name in referred(each)}
    return set(re.findall(r"\bvars?\.([A-Za-z_][\w-]*)", value)) if isinstance(value, str) else set()


def variable_of(value: Any) -> str:
    """The variable, or the key of its map, that a value is as a whole; empty if it is none."""
    match = _REFERENCE.fullmatch(value.strip()) if isinstance(value, str) else None
    return match[1] if match else ""


def module_of(value: Any) -> str:
    """The module whose output a value is, empty if it is none."""
    match = _OUTPUT.fullmatch(value.strip()) if isinstance(value, str) else None
    return match[1] if match and match[1] != "vars" else ""


def modules_in(value: Any) -> set[str]:
    """The modules whose outputs an expression names, if a value is one as a whole."""
    if not isinstance(value, str) or not _EXPRESSION.fullmatch(value.strip()):
        return set()
    return set(_OUTPUTS.findall(value)) - {"vars", "var"}
