"""Read the TypeScript that CDKTF generates for a provider.

Every argument in it is annotated `// NAME - computed: B, optional: B, required: B`, which the compiled
JavaScript and the jsii assembly have lost. The code is generated, so its layout can be relied on, and regular
expressions do.
"""

import re
from dataclasses import dataclass
from functools import cached_property

_CLASS = re.compile(r"^export class (\w+) extends cdktf\.(\w+) \{$(.*?)^\}$", re.MULTILINE | re.DOTALL)
_INTERFACE = re.compile(r"^export interface (\w+) (?:extends [\w.]+ )?\{$(.*?)^\}$", re.MULTILINE | re.DOTALL)
_MEMBER = re.compile(
    r"^  // (\w+) - computed: (\w+), optional: (\w+), required: (\w+)\n"
    r"(.*?)(?=^  // \w+ - computed: |^  // ====|^  //? ?=+|\Z)",
    re.MULTILINE | re.DOTALL,
)
_CHILD = re.compile(r"private _\w+ = new ([\w.]+)\(this, \"\w+\"(?:, (true|false))?(?:, (?:true|false))?\)")
_GETTER = re.compile(r"this\.(?:get(\w+)Attribute|interpolationForAttribute)\('\w+'\)")
_HCL = re.compile(
    r"^ +(\w+): \{\n +value: (.*)\n +isBlock: \w+,\n +type: \"(\w+)\",\n +storageClassType: \"(\w+)\"",
    re.MULTILINE,
)
_HCL_FUNCTION = re.compile(r"^export function (\w+)ToHclTerraform\(.*?^\}$", re.MULTILINE | re.DOTALL)
_RESOURCE_TYPE = re.compile(r'tfResourceType = "(\w+)"')
_HCL_METHOD = "synthesizeHclAttributes()"


@dataclass(frozen=True)
class HclEntry:
    """CDKTF's description of one argument for HCL; `storage` is e.g. `stringList` or a struct's name."""

    name: str
    collection: str  # simple | list | set | map | struct
    storage: str
    mapped: bool  # the value goes through listMapper: any number of blocks

    @property
    def struct(self) -> str:
        """The name of the element's interface."""
        return re.sub(r"(List|Map)$", "", self.storage)


@dataclass(frozen=True)
class Member:
    """One annotated argument of a generated class."""

    name: str
    computed: bool
    optional: bool
    required: bool
    text: str

    @property
    def child(self) -> tuple[str, bool] | None:
        """The class of a complex member and whether it is a set, or None for a plain one."""
        match = _CHILD.search(self.text)
        return (match[1], match[2] == "true") if match else None

    @property
    def getter(self) -> str | None:
        """`String` of `getStringAttribute`, `NumberList`...; empty for an untyped one; None without one."""
        match = _GETTER.search(self.text)
        return (match[1] or "") if match else None

    @property
    def is_set(self) -> bool:
        """Terraform sets of primitives are read through `Fn.tolist`."""
        return "Fn.tolist" in self.text


@dataclass(frozen=True)
class GeneratedClass:
    """One class of the generated code."""

    name: str
    base: str  # TerraformResource, ComplexObject, ComplexList...
    body: str

    @property
    def resource_type(self) -> str:
        """The Terraform type name; only resources and data sources have one."""
        match = _RESOURCE_TYPE.search(self.body)
        return match[1] if match else ""

    @cached_property
    def members(self) -> list[Member]:
        """The annotated arguments in order."""
        return [
            Member(m[1], m[2] == "true", m[3] == "true", m[4] == "true", m[5])
            for m in _MEMBER.finditer(self.body)
        ]

    @cached_property
    def hcl(self) -> dict[str, HclEntry]:
        """The arguments as the class itself would write them; only resources and providers do."""
        start = self.body.find(_HCL_METHOD)
        return _entries(self.body[start:]) if start >= 0 else {}


class Source:
    """The generated code of one resource, data source or provider (all files of its folder together)."""

    def __init__(self, text: str) -> None:
        self.classes = {m[1]: GeneratedClass(m[1], m[2], m[3]) for m in _CLASS.finditer(text)}
        self._interfaces = {m[1]: m[2] for m in _INTERFACE.finditer(text)}
        self._structs = {_decapitalize(m[1]): _entries(m[0]) for m in _HCL_FUNCTION.finditer(text)}

    def struct(self, name: str) -> dict[str, HclEntry]:
        """The arguments of the interface `name`."""
        return self._structs.get(_decapitalize(name), {})

    def is_required(self, struct: str, argument: str) -> bool:
        """Whether the interface declares the argument without a question mark."""
        camel = re.sub(r"_(\w)", lambda match: match[1].upper(), argument)
        return f"readonly {camel}: " in self._interfaces.get(struct, "")


def _entries(text: str) -> dict[str, HclEntry]:
    return {m[1]: HclEntry(m[1], m[3], m[4], "listMapper" in m[2]) for m in _HCL.finditer(text)}


def _decapitalize(name: str) -> str:
    return name[:1].lower() + name[1:]
