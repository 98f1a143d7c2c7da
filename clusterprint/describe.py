"""The published schema in words: what `clusterprint explain` and the reference pages say about a field.

A field is written `vm.nodes.capacity`: its kind, then the keys down to it. Lists are stepped through
without a word: `vm.storage.volumes.name` is the name of each volume.
"""

import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from clusterprint.blueprint import KINDS
from clusterprint.validate import wording
from clusterprint.validate.schemas import schema_of
from clusterprint.validate.validator import Schema
from clusterprint.validate.variants import properties


class Field(NamedTuple):
    """A kind (which has no parent), or a key of one; `schema` is its part of the published schema."""

    key: str
    schema: Schema
    required: bool = True
    parent: "Field | None" = None

    @property
    def name(self) -> str:
        """The field as it is written: `vm.nodes.capacity`."""
        return f"{self.parent.name}.{self.key}" if self.parent else self.key

    @property
    def kind(self) -> "Field":
        """The kind that it is a field of."""
        return self.parent.kind if self.parent else self

    @property
    def description(self) -> str:
        """The description, in a sentence or more."""
        text: str = self.schema.get("description", "")
        return text

    @property
    def keys(self) -> list["Field"]:
        """The keys below it, if it is a map of fixed keys or a list of such maps."""
        inner = self.schema.get("items", self.schema)
        required = inner.get("required", ())
        return [Field(key, schema, key in required, self) for key, schema in properties(inner).items()]

    @property
    def has_free_keys(self) -> bool:
        """Whether it is a map whose keys the user chooses."""
        return isinstance(self.schema.get("additionalProperties"), dict)


class Value(NamedTuple):
    """One of the values that a field allows."""

    value: str
    description: str


class UnknownField(LookupError):  # noqa: N818 - not a failure, an answer
    """There is no such field.

    `near` is as far as the name is right (None: not even the kind is), then come `key` and `rest`.
    """

    def __init__(self, key: str, near: Field | None = None, rest: Sequence[str] = ()) -> None:
        super().__init__(key)
        self.key = key
        self.near = near
        self.rest = rest


def kinds() -> list[Field]:
    """All kinds of blueprints."""
    return [Field(kind, schema_of(kind)) for kind in KINDS]


def field(name: str) -> Field:
    """The field of this name; positions in lists may be written (`vm.files[0].source`).

    What stands below a map of free keys is explained at the map. Raises UnknownField.
    """
    kind, *keys = re.sub(r"\[[0-9]*\]", "", name).split(".")
    if kind not in KINDS:
        raise UnknownField(kind)
    found = Field(kind, schema_of(kind))
    for depth, key in enumerate(keys, 1):
        if found.has_free_keys:
            return found
        below = {each.key: each for each in found.keys}
        if key not in below:
            raise UnknownField(key, found, keys[depth:])
        found = below[key]
    return found


def all_fields(root: Field) -> Iterator[Field]:
    """A field and everything below it, in the order of the schema."""
    yield root
    for key in root.keys:
        yield from all_fields(key)


# ---- what is said about a field


def first_sentence(text: str) -> str:
    """The first sentence of a description, without its full stop."""
    return text.partition(". ")[0].rstrip(".")


def facts(target: Field) -> list[tuple[str, str]]:
    """The values of a field: pairs of a heading and words. Allowed values are in `allowed`."""
    schema = target.schema
    found = [("type", type_in_words(schema))]
    if target.parent:  # nobody asks whether the blueprint itself is required
        found.append(_presence(target))
    found += [("only for", schema["ownedBy"])] if "ownedBy" in schema else []
    form = wording.form_of(schema)
    found += [("form", form)] if form else []
    limits = limits_in_words(schema)
    found += [("limits", limits)] if limits else []
    if target.has_free_keys:
        found.append(("each key", _value_in_words({"type": "string"} | schema.get("propertyNames", {}))))
        found.append(("each value", _value_in_words(schema["additionalProperties"])))
    if "items" in schema:
        found.append(("each item", _value_in_words(schema["items"])))
    return found


def _presence(target: Field) -> tuple[str, str]:
    if "default" in target.schema:
        return "default", yaml_inline(target.schema["default"])
    return "required", "yes" if target.required else "no"


def type_in_words(schema: Schema) -> str:
    """The type in the words of YAML."""
    return wording.type_of(schema)


def _value_in_words(schema: Schema) -> str:
    """The type of a key, a value or an item, in one phrase."""
    form = wording.form_of(schema) or type_in_words(schema)
    if "object" in wording.types_of(schema)[:-1]:
        form += f"; or {wording.TYPES['object']}"
    limits = limits_in_words(schema)
    return f"{form}, {limits}" if limits else form


def limits_in_words(schema: Schema) -> str:
    """The range of a number, or of the length of a text or list; an empty text if there is none."""
    unit = " items" if schema.get("type") == "array" else ""
    for low, high, measure in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", unit),
    ):
        least, most = schema.get(low), schema.get(high)
        if least is not None and most is not None:
            return f"{least} to {most}{measure}"
        if least == 1 and measure:
            return "not empty"
        if least is not None or most is not None:
            return f"at least {least}{measure}" if most is None else f"at most {most}{measure}"
    return ""


def allowed(schema: Schema) -> list[Value]:
    """The fixed words that a field takes, each with what it means; empty if it takes others."""
    values = schema.get("enum", ())
    descriptions = schema.get("enumDescriptions", [""] * len(values))
    return [Value(str(value), text) for value, text in zip(values, descriptions, strict=True)]


# ---- examples, as YAML


def example_in_place(target: Field) -> str:
    """A value that the field may have, as YAML, below the keys that it stands under.

    Beside it stands what has to be there, too, where the part that it belongs to need not be there yet.
    """
    value, at = example(target.schema), target
    while at.parent:
        value = {at.key: value}
        at = at.parent
        if "items" in at.schema or not at.required:
            value = {key.key: example(key.schema) for key in at.keys if key.required} | value
        if "items" in at.schema:
            value = [value]
    return yaml_block(value)


def example(schema: Schema) -> Any:
    """A value that a field may have: the example of the schema, or one made of what it says.

    A map has what is required in it, or its first key where nothing is.
    """
    if "examples" in schema:
        return schema["examples"][0]
    if "default" in schema and not _is_hollow(schema["default"]):
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "items" in schema:
        return [example(schema["items"])]
    known = properties(schema)
    return {key: example(known[key]) for key in schema.get("required") or list(known)[:1]}


def _is_hollow(value: Any) -> bool:
    """Whether a value is empty, or a map of nothing but empty values: an example that shows nothing."""
    return value in ({}, []) or (isinstance(value, dict) and all(map(_is_hollow, value.values())))


# What has a place in a literal block, though it cannot be printed.
_LAYOUT = str.maketrans({"\n": None, "\t": None})


def yaml_block(value: Any) -> str:
    """A value as YAML, one key or item on each line."""
    return _yaml(value, flow=False)


def yaml_inline(value: Any) -> str:
    """A value as YAML on one line."""
    return _scalar(value) if isinstance(value, str | int) else _yaml(value, flow=True)


@lru_cache(maxsize=1024, typed=True)
def _scalar(value: str | int) -> str:
    # A writer takes a millisecond, and most of what is shown is `true`, `auto` and the like.
    return _yaml(value, flow=True)


def _yaml(value: Any, *, flow: bool) -> str:
    from ruamel.yaml import YAML  # writing is for people who read; `validate` only reads

    writer = YAML()
    writer.default_flow_style = flow
    writer.width = 10_000
    writer.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    writer.dump(value if flow else _with_literals(value), stream)
    return stream.getvalue().removesuffix("...\n").rstrip("\n")


def _with_literals(value: Any) -> Any:
    """Texts of several lines as literal blocks, as people write scripts; such a block can escape nothing."""
    from ruamel.yaml.scalarstring import LiteralScalarString

    if isinstance(value, dict):
        return {key: _with_literals(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_literals(each) for each in value]
    if isinstance(value, str) and "\n" in value and value.translate(_LAYOUT).isprintable():
        return LiteralScalarString(value)
    return value
