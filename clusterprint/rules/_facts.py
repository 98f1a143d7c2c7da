"""Values that relations compare: fields by their paths, and facts that rules derive from parts."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from string import Formatter
from types import UnionType
from typing import Any, NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.broken import readable
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Setting
from clusterprint.catalog import machine
from clusterprint.diagnostic import Label
from clusterprint.rules.context import Context
from clusterprint.rules.documentation import folder_of
from clusterprint.words import counted, listed


class Fact(NamedTuple):
    """A fact about a part: the path of the field that it follows from, or what points there, and its value.

    It holds like a field does: not where it is False, UNSET or empty.
    """

    place: str | Callable[[Any, Context[Any]], Label]
    value: Callable[[Any, Context[Any]], Any]


class Look:
    """The field or fact of a relation at a path from a part."""

    def __init__(self, code: str, part: Part, context: Context, path: str) -> None:
        """Follow the path; `owner` is None where a part on the way was left out."""
        *way, self.key = path.removeprefix("/").split(".")
        self._code, self._context = code, context
        self.owner: Any = context.blueprint if path.startswith("/") else part
        for each in way:
            self.owner = self._get(self.owner, each)
            if self.owner is UNSET or self.owner is None:
                self.owner = None
                return
        if not self._is_fact and not hasattr(self.owner, self.key):
            self.owner = None

    @property
    def _is_fact(self) -> bool:
        return self.key.startswith("@")

    @property
    def _fact(self) -> Fact:
        return facts(self._code)[self.key[1:]]

    def _get(self, owner: Any, key: str) -> Any:
        if key.startswith("@"):
            return facts(self._code)[key[1:]].value(owner, self._context)
        return getattr(owner, key, UNSET)

    @property
    def value(self) -> Any:
        """The value; UNSET where it was left out."""
        return UNSET if self.owner is None else self._get(self.owner, self.key)

    @property
    def is_written(self) -> bool:
        """Whether the user wrote the field, or that which the fact follows from."""
        if self.owner is None:
            return False
        if not self._is_fact:
            return self._context.wrote(self.owner, self.key)
        place = self._fact.place
        return not isinstance(place, str) or self._at(place).is_written

    def place(self, text: str = "", long: type | UnionType = Part | tuple | dict) -> Label:
        """The value of the field, or its key where the value has several lines, being `long`."""
        if self._is_fact:
            place = self._fact.place
            if isinstance(place, str):
                return self._at(place).place(text, Part | dict)
            return place(self.owner, self._context)._replace(text=text)
        is_long = isinstance(self.value, long)
        return (self._context.at_key if is_long else self._context.at)(self.owner, self.key, text=text)

    def _at(self, path: str) -> "Look":
        return Look(self._code, self.owner, self._context, path)

    def holds(self, setting: Setting) -> bool:
        """Whether a setting at this path holds."""
        if self.owner is None:
            return False
        if setting.written:
            return self.is_written is not setting.unless
        value = readable(self.value)
        if setting.unless:
            return value is not UNSET and value not in setting.values
        if setting.values:
            return value in setting.values
        if isinstance(value, str | tuple | dict):
            return len(value) > 0
        return value is not UNSET and value is not None and value is not False


def holds(setting: Setting, code: str, part: Part, context: Context) -> bool:
    """Whether a setting holds for a part, in a relation with a code."""
    if setting.derived:
        found = _function(setting.derived)(context.blueprint if setting.path.startswith("/") else part)
        return found in setting.values if setting.values else bool(found)
    return Look(code, part, context, setting.path).holds(setting)


@cache
def _function(name: str) -> Callable[[Part], Any]:
    """A function of `derived`, imported when it is needed first."""
    module, _, function = name.partition(".")
    if module == "machine":
        return partial(_fact, function)
    found: Callable[[Part], Any] = getattr(import_module(f"clusterprint.derived.{module}"), function)
    return found


def _fact(path: str, part: MachineGroup) -> Any:
    """A fact of the catalog about a machine type; None if it is not known, or has no such part."""
    found: Any = machine(part.machine_type)
    for each in path.split("."):
        found = None if found is None else getattr(found, each)
    return found


def facts(code: str) -> Mapping[str, Fact]:
    """The facts that relations with such a code may look at."""
    found: Mapping[str, Fact] = import_module(f"{__package__}.{folder_of(code)}._facts").FACTS
    return found


class Filled(Formatter):
    """Fills the words of a relation: with some values, the `part`, the `blueprint`, and facts about the part.

    A word after a colon counts: `{value:node}` is `3 nodes`; `and` and `or` list: `{zones:and}`.
    """

    def __init__(self, code: str, part: Part, context: Context, values: Mapping[str, Any]) -> None:
        """Take the values by their names."""
        self._code, self._part, self._context = code, part, context
        self._values = {"part": part, "blueprint": context.blueprint, **values}

    def fill(self, text: str) -> str:
        """The text with its gaps filled."""
        return self.vformat(text, (), self._values)

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:  # noqa: ARG002 - of the base
        """A value, or a fact about the part."""
        if key in kwargs:
            return kwargs[key]
        return facts(self._code)[str(key)].value(self._part, self._context)

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value in words."""
        if format_spec in ("and", "or"):
            return listed([str(each) for each in value], format_spec)
        if isinstance(value, int | float) and format_spec[:1].isalpha() and len(format_spec) > 1:
            return counted(value, format_spec)
        return str(super().format_field(value, format_spec))
