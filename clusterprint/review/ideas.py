"""Ideas and words for resource types: which part of a cluster they belong to."""

import re

from clusterprint.masking import mask
from clusterprint.resource_types import Idea, ResourceType, resource_type
from clusterprint.review import file_imports
from clusterprint.review.delta import Resource, get
from clusterprint.review.known import so_far

# The argument that names a resource, the first one that it has.
_CUSTOM = "google_project_iam_custom_role"

_NAMES = (
    "account_id",
    "name",
    "metadata.name",
    "name_prefix",
    "service",
    "secret_id",
    "role_id",
    "repository_id",
    "input.volume",
    "instance_id",
)

# Resources of Terraform's own that have a meaning, by their addresses.
_MARKERS = {"terraform_data.kept_data": ResourceType("storage", "guard of volume")}

_PATH = re.compile(r"projects/[^/]+/(?:locations|secrets)/")


def idea(resource: Resource) -> Idea:
    """The concept of a cluster that a resource belongs to."""
    return "storage" if file_imports.source(resource) else word_of(resource).idea


def word_of(resource: Resource) -> ResourceType:
    """The concept of a resource, by its type, for some by the address."""
    return _MARKERS.get(resource.base) or resource_type(resource.type)


def title(resource: Resource) -> str:
    """A resource in people's words: `bucket my-data`, `role storage.objectUser on bucket my-data`."""
    grants = "_iam_" in resource.type and resource.type != _CUSTOM
    if grants or resource.type == "azurerm_role_assignment":
        return _grant(resource)
    return file_imports.title(resource) or f"{word_of(resource).noun} {name(resource)}".strip()


def name(resource: Resource) -> str:
    """The name of a resource in the cloud, else its name in Terraform.

    Masked before it is cut: half a secret may not be seen to be one.
    """
    template = resource.type.endswith("_template")  # each is a new one, with a new name
    for path in ("name_prefix", *_NAMES) if template else _NAMES:
        found = so_far(get(resource.values, path))
        if found:
            return _last(mask(found)).rstrip("-")
    return resource.address.partition(".")[2]


def _last(name: str) -> str:
    """The last part of a name that clouds write as a path, which plans know of what is there already."""
    return name.rpartition("/")[2] if _PATH.match(name) else name


def _grant(resource: Resource) -> str:
    role = get(resource.values, "role") or get(resource.values, "role_definition_name")
    if role is None:
        return "custom role" if any(_CUSTOM in each for each in resource.refers.get("role", ())) else "role"
    where = next(
        (
            f" on {noun} {mask(found).rpartition('/')[2]}"
            for key, noun in (("bucket", "bucket"), ("secret_id", "secret"), ("repository", "repository"))
            if isinstance(found := get(resource.values, key), str) and "${" not in found
        ),
        "",
    )
    return f"role {str(role).removeprefix('roles/')}{where}"


def group_name(resource: Resource) -> str:
    """The group within a concept: the name of the node pool or bucket."""
    return name(resource) if resource_type(resource.type).own_group else ""
