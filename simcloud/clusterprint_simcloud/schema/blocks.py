"""From generated classes to schema blocks."""

import re
from collections.abc import Iterator

from clusterprint_simcloud.errors import UnknownSource
from clusterprint_simcloud.schema.model import Attribute, Block, NestedBlock, TypeNotation
from clusterprint_simcloud.schema.typescript import GeneratedClass, HclEntry, Member, Source

# The value types that CDKTF knows, in each of its three vocabularies.
_STORAGE: dict[str, TypeNotation] = {
    "string": "string",
    "number": "number",
    "boolean": "bool",
    "any": "dynamic",
    "stringMap": ["map", "string"],
    "stringList": ["list", "string"],
    "numberList": ["list", "number"],
}
_GETTERS: dict[str, TypeNotation] = {
    "String": "string",
    "Number": "number",
    "Boolean": "bool",
    "AnyMap": "dynamic",
    "List": ["list", "string"],
    "NumberList": ["list", "number"],
    "StringMap": ["map", "string"],
    "NumberMap": ["map", "number"],
    "BooleanMap": ["map", "bool"],
}
_HELPERS: dict[str, TypeNotation] = {
    "cdktf.StringMap": ["map", "string"],
    "cdktf.NumberMap": ["map", "number"],
    "cdktf.BooleanMap": ["map", "bool"],
    "cdktf.AnyMap": "dynamic",
    "cdktf.BooleanList": ["list", "bool"],
    "cdktf.AnyList": ["list", "dynamic"],
    "cdktf.StringMapList": ["list", ["map", "string"]],
    "cdktf.NumberMapList": ["list", ["map", "number"]],
    "cdktf.BooleanMapList": ["list", ["map", "bool"]],
    "cdktf.AnyMapList": ["list", ["map", "dynamic"]],
    "cdktf.StringListList": ["list", ["list", "string"]],
    "cdktf.NumberListList": ["list", ["list", "number"]],
    "cdktf.StringListMap": ["map", ["list", "string"]],
}
# `super(.., false, 0)` in an output reference: the one element of a list; without the 0 a plain object.
_SUPER = re.compile(r"super\(terraformResource, terraformAttribute, \w+(?:, (\w+))?\)")
_ELEMENT = re.compile(r"get\((?:index: number|key: string)\): (\w+)")


def blocks_of(source: Source) -> Iterator[tuple[str, str, Block]]:
    """Yield (`TerraformResource` | `TerraformDataSource` | `TerraformProvider`, type name, its block)."""
    reader = _Reader(source)
    for generated in source.classes.values():
        if generated.base in {"TerraformResource", "TerraformDataSource", "TerraformProvider"}:
            yield generated.base, generated.resource_type, reader.block(generated)


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source

    def block(self, generated: GeneratedClass) -> Block:
        attributes: dict[str, Attribute] = {}
        blocks: dict[str, NestedBlock] = {}
        for member in generated.members:
            found = self._member(generated, member)
            if isinstance(found, Attribute):
                attributes[member.name] = found
            else:
                blocks[member.name] = found
        return Block(attributes, blocks)

    def _member(self, generated: GeneratedClass, member: Member) -> Attribute | NestedBlock:
        struct = generated.name.removesuffix("OutputReference")
        entry = (generated.hcl or self._source.struct(struct)).get(member.name)
        if member.child and member.child[0] not in _HELPERS:
            return self._complex(member, entry)
        notation = self._plain_type(member, entry)
        if notation is None and entry is not None:  # a provider's configuration has structs only
            return self._struct_block(entry, required=member.required)
        if notation is None:
            message = f"The generated code of {generated.name}.{member.name} has an unknown shape."
            raise UnknownSource(message)
        return Attribute(notation, member.required, member.optional, member.computed)

    def _plain_type(self, member: Member, entry: HclEntry | None) -> TypeNotation | None:
        if member.child:
            return _HELPERS[member.child[0]]
        in_set = member.is_set or (entry is not None and entry.collection == "set")
        if member.getter is not None:
            return _as_set(_GETTERS.get(member.getter, "dynamic"), in_set)
        return _storage_type(entry) if entry else None

    def _complex(self, member: Member, entry: HclEntry | None) -> Attribute | NestedBlock:
        nesting, element, many = self._nesting(member, entry)
        if member.computed:  # Terraform has no computed blocks: this is an attribute that holds objects
            notation = self._object(element)
            if nesting != "single":
                notation = [nesting, notation]
            return Attribute(notation, member.required, member.optional, member.computed)
        return NestedBlock(
            nesting,
            self.block(element),
            min_items=1 if member.required else 0,
            max_items=0 if many or nesting == "single" else 1,
        )

    def _nesting(self, member: Member, entry: HclEntry | None) -> tuple[str, GeneratedClass, bool]:
        """(nesting mode, class of one element, whether there may be several)."""
        assert member.child is not None  # noqa: S101  (the caller asked)
        name, is_set = member.child
        child = self._source.classes[name]
        if child.base in {"ComplexList", "ComplexMap"}:
            element = _ELEMENT.search(child.body)
            assert element is not None  # noqa: S101  every generated collection has get()
            nesting = "map" if child.base == "ComplexMap" else "set" if is_set else "list"
            return nesting, self._source.classes[element[1]], True
        if entry is not None and entry.collection == "set":
            return "set", child, False
        found = _SUPER.search(child.body)
        return ("list" if found and found[1] == "0" else "single"), child, False

    def _object(self, generated: GeneratedClass) -> TypeNotation:
        fields: dict[str, TypeNotation] = {}
        for member in generated.members:
            found = self._member(generated, member)
            fields[member.name] = found.type if isinstance(found, Attribute) else _type_of(found)
        return ["object", fields]

    def _struct_block(self, entry: HclEntry, *, required: bool) -> NestedBlock:
        attributes: dict[str, Attribute] = {}
        blocks: dict[str, NestedBlock] = {}
        for name, inner in self._source.struct(entry.struct).items():
            needed = self._source.is_required(entry.struct, name)
            notation = _storage_type(inner)
            if notation is None:
                blocks[name] = self._struct_block(inner, required=needed)
            else:
                attributes[name] = Attribute(notation, required=needed, optional=not needed)
        nesting = entry.collection if entry.collection in {"list", "set"} else "single"
        return NestedBlock(
            nesting,
            Block(attributes, blocks),
            min_items=1 if required else 0,
            max_items=0 if entry.mapped or nesting == "single" else 1,
        )


def _storage_type(entry: HclEntry) -> TypeNotation | None:
    notation = _STORAGE.get(entry.storage)
    return None if notation is None else _as_set(notation, entry.collection == "set")


def _as_set(notation: TypeNotation, in_set: bool) -> TypeNotation:  # noqa: FBT001 (a private two-liner)
    return ["set", notation[1]] if in_set and notation[0] == "list" else notation


def _type_of(nested: NestedBlock) -> TypeNotation:
    """The type of a block that sits inside a computed attribute."""
    fields: dict[str, TypeNotation] = {name: one.type for name, one in nested.block.attributes.items()}
    fields |= {name: _type_of(one) for name, one in nested.block.blocks.items()}
    return ["object", fields] if nested.nesting == "single" else [nested.nesting, ["object", fields]]
