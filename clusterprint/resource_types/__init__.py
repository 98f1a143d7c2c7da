"""Facts about each Terraform resource type: one row of `types.json` per type.

A row answers every column, or names it under `none`, so that no column of a new type is forgotten; a test
checks that every type in our stacks has a row. Columns that need code (`machines`, `price`, `quota`,
`refused`, `openings`, `replaced_if`) name a function, which the module with these functions looks up.

Three tables of facts are separate, because they are generated, or have sources for each entry: permissions
(`catalog.type_rights`), quotas (`catalog.resource_quota`, by the name in `quota`), and arguments that a
provider changes only by replacing (`review.facts`; where that depends on the values, `replaced_if`).
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

Idea = Literal[
    "cluster",
    "node pool",
    "network",
    "storage",
    "files",
    "IAM",
    "secrets",
    "registry",
    "workloads",
    "health checks",
    "services",
    "outputs",
    "other",
]
Loss = Literal["bucket_removed", "disk_removed", "registry_removed", "secret_removed"]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell with several values."""


class Drawn(_Part, frozen=True):
    """How a diagram shows it.

    `box` is the sort of its box; a `pool` is drawn from its machines. One that `joins` is a line between the
    first resource that it refers to and the others. A pool also refers to what it reaches `through` resources
    of such a type. `line` is the text of the line from a pool that refers to it, from every pool if `shared`.
    """

    box: Literal[
        "cluster", "pool", "network", "subnet", "storage", "bucket", "firewall", "address", "NAT", ""
    ] = ""
    joins: bool = False
    through: bool = False
    line: str = ""
    shared: bool = False


class Elsewhere(_Part, frozen=True):
    """The resource holds no data itself where the whole argument matches the pattern."""

    argument: str
    pattern: str


class UnlessEmpty(_Part, frozen=True):
    """Who refuses to delete it while something is in it, unless the argument `ends` is true."""

    why: str
    ends: str = ""


class Data(_Part, frozen=True):
    """Data that is deleted with the resource, in words, and the name of that risk.

    `is_part` is true for what belongs to a volume that is a resource of its own, `is_copy` for copies of data
    that is elsewhere, too, `in_cluster` for volumes that Kubernetes creates and deletes.
    """

    risk: Loss
    what: str
    elsewhere: Elsewhere | None = None
    unless_empty: UnlessEmpty | None = None
    is_part: bool = False
    is_copy: bool = False
    in_cluster: bool = False


class Protection(_Part, frozen=True):
    """The argument that keeps a resource from being deleted, and the value with which it can be deleted.

    Without `command` the provider looks into the state for it; with one the cloud itself refuses, until the
    command has run. `of_data`: it protects data, and a blueprint can end it. Protections that many types have
    are not in the table: `prevent_destroy`, `deletion_policy`, and the guards of stacks/kept_data.py.
    """

    argument: str
    freed: bool
    of_data: bool = False
    by_default: bool = False
    command: str = ""


class Service(_Part, frozen=True):
    """The API that creates it, the name of the product, and the group of commands of gcloud."""

    api: str
    title: str
    gcloud: str


class ResourceType(_Part, frozen=True):
    """A row: what a type is, in words, and its columns, each None (or false) where `none` names it.

    `place` is the argument for its location, `import_id` the id that the provider imports it by, of arguments
    and of the project, region or subscription of the provider. `rights` is what roles for it are granted on,
    `peering` the service whose connection to a network its addresses belong to. `own_group`: changes of each
    are shown under its name. `runs`: workloads run in it.
    """

    idea: Idea
    noun: str
    place: Literal["location", "region", "zone"] | None = None
    own_group: bool = False
    diagram: Drawn = Drawn()
    machines: str | None = None
    price: str | None = None
    quota: str | None = None
    data: Data | None = None
    protection: Protection | None = None
    import_id: str | None = None
    rights: Literal["project", "bucket", "key", "group"] | None = None
    service: Service | None = None
    peering: str | None = None
    replaced_if: dict[str, str] = {}
    refused: str | None = None
    openings: str | None = None
    runs: bool = False
    none: str = ""

    @property
    def is_store(self) -> bool:
        """Whether it is, or is part of, a volume outside of Kubernetes."""
        return (
            self.data is not None
            and self.data.risk in ("bucket_removed", "disk_removed")
            and not self.data.in_cluster
        )


# Where a type has no row: parts of its name.
_PARTS: tuple[tuple[str, Idea], ...] = (
    ("_iam_", "IAM"),
    ("role_binding", "IAM"),
    ("role_assignment", "IAM"),
    ("secret", "secrets"),
    ("kubernetes_persistent_volume", "storage"),
    ("kubernetes_", "workloads"),
    ("network", "network"),
    ("subnet", "network"),
    ("firewall", "network"),
    ("public_ip", "network"),
    ("disk", "storage"),
    ("storage", "storage"),
    ("virtual_machine", "node pool"),
    ("artifact_registry", "registry"),
    ("monitoring", "health checks"),
)
_PROVIDER = re.compile("^(google|azurerm|kubernetes|azapi|random|null|time)_")


@cache
def resource_types() -> Mapping[str, ResourceType]:
    """All rows by type, those of Kubernetes without the `_v1` of their names."""
    text = (Path(__file__).parent / "types.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, ResourceType])


@cache
def resource_type(name: str) -> ResourceType:
    """The facts of a type. A type without a row only has words, derived from its name."""
    found = resource_types().get(name.removesuffix("_v1"))
    if found:
        return found
    idea: Idea = next((idea for part, idea in _PARTS if part in name), "other")
    bare = _PROVIDER.sub("", name).removesuffix("_v1").replace("_", " ")
    noun = "role" if "_iam_" in name else bare
    if name.startswith("terraform_"):
        return ResourceType(idea, noun)
    return ResourceType(idea, noun, rights="group" if name.startswith("azurerm_") else "project")
