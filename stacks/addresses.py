"""Addresses of resources in the user's state: without the checksums that the engine would add to them."""

import re
from functools import cache
from typing import TypeVar

from cdktf import TerraformDataSource, TerraformElement, TerraformResource

from clusterprint.bindings import path_of

_WORD = re.compile(r"[A-Za-z0-9_-]+")

Resource = TypeVar("Resource", bound=TerraformElement)


def addressed(resource: Resource) -> Resource:
    """Name a resource by its path of constructs: `google_compute_firewall.primary_ssh`.

    Without this the engine adds a checksum to every path of two or more. A path with characters that
    Terraform has no use for in a name keeps its checksum. Call it where the resource is made: once
    somebody has referred to it, its address is settled.
    """
    path = [part for part in path_of(resource)[1:] if part != "Default"]
    if all(_WORD.fullmatch(part) for part in path):
        resource.override_logical_id("_".join(path))
    return resource


def address(resource: TerraformResource | TerraformDataSource) -> str:
    """`type.name`, as expressions refer to it; not for what `depends_on` takes."""
    return f"{terraform_type(resource)}.{resource.friendly_unique_id}"


def terraform_type(resource: TerraformResource | TerraformDataSource) -> str:
    """The Terraform type of a resource; the engine is asked once for each type."""
    return _terraform_type(type(resource))


@cache
def _terraform_type(sort: type) -> str:
    name: str = sort.TF_RESOURCE_TYPE  # type: ignore[attr-defined] # of each type of generated bindings
    return name
