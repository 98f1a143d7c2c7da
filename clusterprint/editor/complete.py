"""Completion: keys of the schema, words, and names of the catalog and of this blueprint."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from clusterprint import catalog
from clusterprint.blueprint import KINDS
from clusterprint.catalog import region_of
from clusterprint.catalog.permissions import roles
from clusterprint.describe import allowed, yaml_inline
from clusterprint.editor.cursor import Cursor, cursor_at
from clusterprint.editor.open_file import Opened, without_line
from clusterprint.editor.schema import Schema, field_at
from clusterprint.editor.words import machine_in_short
from clusterprint.validate.variants import properties

_SWITCHES = {"true": True, "false": False}


class Choice(NamedTuple):
    """Something to write: `text` in place of the word before the cursor, in the order that `order` says."""

    label: str
    text: str
    sort: Literal["key", "word", "machine", "place", "name", "value"]
    detail: str = ""
    about: str = ""
    order: int = 0


class Completion(NamedTuple):
    """All choices, and the word that they stand in for."""

    word: str
    choices: tuple[Choice, ...]


def complete(blueprint: Opened, line: int, column: int) -> Completion:
    """The completions for a position."""
    cursor = cursor_at(blueprint.lines, line, column)
    if blueprint.document is None:
        # Most often it is this very line that is not finished: what the others say is enough for names.
        blueprint = without_line(blueprint, line)
    return Completion(cursor.word, tuple(_choices(blueprint, cursor)))


def _choices(blueprint: Opened, cursor: Cursor) -> Iterator[Choice]:
    if not blueprint.kind:
        yield from _heading(cursor)
        return
    path = (*cursor.path, cursor.key) if cursor.key else cursor.path
    schema = field_at(blueprint.kind, path)
    if schema is None:
        return
    inner = schema.get("items", schema)
    if not cursor.key and "properties" in inner:
        yield from _keys(inner, cursor)
    elif cursor.key or "items" in schema:
        yield from _values(blueprint, inner, path)


def _heading(cursor: Cursor) -> Iterator[Choice]:
    if cursor.path:
        return
    if cursor.key == "kind":
        yield from (Choice(kind, kind, "word") for kind in KINDS)
    elif cursor.key == "clusterprint":
        yield Choice("v1", "v1", "word")
    elif not cursor.key:
        known = (("clusterprint", "clusterprint: v1\n"), ("kind", "kind: "))
        yield from (Choice(key, text, "key") for key, text in known if key not in cursor.present)


def _keys(schema: Schema, cursor: Cursor) -> Iterator[Choice]:
    required = schema.get("required", ())
    beside = {key: _SWITCHES.get(value, value) for key, value in cursor.present.items()}
    for number, (key, each) in enumerate(properties(schema, beside).items()):
        if key in cursor.present:
            continue
        needed = key in required
        yield Choice(
            label=key,
            text=key if cursor.quoted else f"{key}:{_opening(each, cursor)}",
            sort="key",
            detail="required" if needed else _default(each),
            about=each.get("description", ""),
            order=number if needed else number + 1000,
        )


def _opening(schema: Schema, cursor: Cursor) -> str:
    """The text after the colon: the beginning of a map or list."""
    if cursor.in_brackets:
        return " "
    indent = " " * (cursor.indent + 2)
    if "properties" in schema:
        return f"\n{indent}"
    return f"\n{indent}- " if "properties" in schema.get("items", {}) else " "


def _default(schema: Schema) -> str:
    if "default" not in schema or schema["default"] in ({}, []):
        return ""
    return f"default: {yaml_inline(schema['default'])}"


def _values(blueprint: Opened, schema: Schema, path: tuple[str, ...]) -> Iterator[Choice]:
    if words := allowed(schema):
        yield from (Choice(each.value, each.value, "word", about=each.description) for each in words)
    elif schema.get("type") == "boolean":
        default = schema.get("default")
        for value in (True, False):
            text = "true" if value else "false"
            yield Choice(text, text, "word", "default" if value is default else "")
    elif lists := schema.get("refersTo"):
        for each in lists:
            yield from (Choice(name, name, "name", each) for name, _ in blueprint.named(each))
    elif name_of := schema.get("nameOf"):
        yield from _BY_NAME[name_of](blueprint)
    elif path[-1:] == ("roles",):
        yield from (Choice(name, name, "name") for name, role in roles().items() if role.cloud == "google")
    elif path[-2:] in (("image", "family"), ("image", "project")):
        yield from _images(path[-1])
    else:
        shown = [*schema.get("examples", ()), *([schema["default"]] if "default" in schema else [])]
        texts = dict.fromkeys(yaml_inline(each) for each in shown if not isinstance(each, dict | list))
        yield from (Choice(each, each, "value", "for example") for each in texts)


def _images(key: str) -> Iterator[Choice]:
    found = [(getattr(each, key), each) for each in catalog.images()]
    for text, image in dict(found).items():
        driver = f", NVIDIA driver {image.gpu_driver}" if image.gpu_driver else ""
        yield Choice(text, text, "name", f"{image.architecture}{driver}" if key == "family" else "")


# ---- names of the catalog


def _machine_types(_: Opened) -> Iterator[Choice]:
    with_tpus = (name for tpu in catalog.tpu_types() for name in tpu.machines)
    for number, name in enumerate((*catalog.machine_names(), *with_tpus)):
        yield Choice(name, name, "machine", machine_in_short(name), order=number)


def _azure_sizes(_: Opened) -> Iterator[Choice]:
    for number, size in enumerate(catalog.azure_sizes()):
        yield Choice(size.name, size.name, "machine", machine_in_short(size.name), order=number)


def _regions(_: Opened) -> Iterator[Choice]:
    return _places(catalog.regions())


def _zones(blueprint: Opened) -> Iterator[Choice]:
    """Zones of the region, those first that have the machines of the blueprint."""
    data = blueprint.document.data if blueprint.document else {}
    region = data.get("region")
    there = catalog.zone_names(region) if isinstance(region, str) else ()
    wanted = set(_machine_types_in(data))
    known = {name: catalog.zones_of(name) for name in wanted}
    for zone in there or catalog.zone_names():
        has = sorted(name for name, zones in known.items() if zones and zone in zones)
        lacks = sorted(name for name, zones in known.items() if zones is not None and zone not in zones)
        detail = (
            f"has {', '.join(has)}" if has and not lacks else f"lacks {', '.join(lacks)}" if lacks else ""
        )
        yield Choice(zone, zone, "place", detail, region_of(zone), order=len(lacks))


def _machine_types_in(data: object) -> Iterator[str]:
    """All machine types that a blueprint names, and GPUs that it attaches."""
    if isinstance(data, dict):
        for key, value in data.items():
            is_gpu = key == "guest_accelerator" and isinstance(value, dict)
            if isinstance(name := value.get("type") if is_gpu else value, str) and (
                key == "machine_type" or is_gpu
            ):
                yield name
            yield from _machine_types_in(value)
    elif isinstance(data, list):
        for each in data:
            yield from _machine_types_in(each)


def _azure_locations(_: Opened) -> Iterator[Choice]:
    return _places(catalog.azure_locations())


def _bucket_locations(_: Opened) -> Iterator[Choice]:
    several = catalog.bucket_locations()
    return _places((*several.multi_regions, *several.dual_regions, *catalog.regions()))


def _places(names: Iterable[str]) -> Iterator[Choice]:
    return (Choice(name, name, "place", order=number) for number, name in enumerate(names))


_BY_NAME = {
    "machine_type": _machine_types,
    "azure_size": _azure_sizes,
    "region": _regions,
    "zone": _zones,
    "azure_location": _azure_locations,
    "bucket_location": _bucket_locations,
}
