"""References in blueprints of Cluster Toolkit: `$(vars.x)` and `((...))`."""

import re
from collections.abc import Mapping
from typing import Any

_REFERENCE = re.compile(r"(?<!\\)\$\(\s*vars\.([A-Za-z_][\w-]*)\s*\)")
_COMPUTED = re.compile(r"(?<!\\)\$\(|^\s*\(\(")
_OUTPUT = re.compile(r"\$\(\s*([A-Za-z_][\w-]*)\.[\w.\[\]]+\s*\)")
_EXPRESSION = re.compile(r"\$\(.*\)", re.DOTALL)
_OUTPUTS = re.compile(r"(?<![\w.\"-])([A-Za-z_][\w-]*)\.[A-Za-z_]")
_DEEPEST = 20
_LONGEST = 10_000


class Unresolved(Exception):  # noqa: N818 - it is an expression, not a failure
    """Something that only Cluster Toolkit or Terraform can work out."""


def resolve(value: Any, variables: Mapping[str, Any], depth: int = 0) -> Any:
    """A value with what variables say in place of references to them. Raises Unresolved."""
    if depth > _DEEPEST:
        raise Unresolved("it refers to itself")
    if isinstance(value, dict):
        return {key: resolve(each, variables, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [resolve(each, variables, depth + 1) for each in value]
    if not isinstance(value, str):
        return value
    whole = _REFERENCE.fullmatch(value.strip())
    if whole:
        return resolve(_variable(whole[1], variables), variables, depth + 1)
    text = _REFERENCE.sub(lambda match: _inside(match[1], variables, depth), value)
    if len(text) > _LONGEST or _COMPUTED.search(text):
        raise Unresolved("it is an expression, which only Cluster Toolkit evaluates")
    return text.replace("\\$(", "$(").replace("\\((", "((")


def _inside(name: str, variables: Mapping[str, Any], depth: int) -> str:
    found = resolve(_variable(name, variables), variables, depth + 1)
    if isinstance(found, bool):
        return str(found).lower()
    if not isinstance(found, str | int | float) or len(str(found)) > _LONGEST:
        raise Unresolved(f"vars.{name} is not text")
    return str(found)


def _variable(name: str, variables: Mapping[str, Any]) -> Any:
    if name not in variables:
        raise Unresolved(f"vars.{name} does not exist")
    if variables[name] is None:
        raise Unresolved(f"vars.{name} has no value")
    return variables[name]


def referred(value: Any) -> set[str]:
    """The variables that a value names."""
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return {name for each in inside for name in referred(each)}
    return set(re.findall(r"\bvars?\.([A-Za-z_][\w-]*)", value)) if isinstance(value, str) else set()


def variable_of(value: Any) -> str:
    """The variable that a value is as a whole, empty if it is none."""
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
