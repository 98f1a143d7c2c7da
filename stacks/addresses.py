"""Addresses of resources in the user's state: without the checksums that the engine would add to them."""

import re
from typing import TypeVar

from cdktf import TerraformElement

_WORD = re.compile(r"[A-Za-z0-9_-]+")

Resource = TypeVar("Resource", bound=TerraformElement)


def addressed(resource: Resource) -> Resource:
    """Name a resource by its path of constructs: `google_compute_firewall.primary_ssh`.

    Without this the engine adds a checksum to every path of two or more. A path with characters that
    Terraform has no use for in a name keeps its checksum. Call it where the resource is made: once
    somebody has referred to it, its address is settled.
    """
    # A construct's own word for itself is its path: one question to the engine, where `node.path` is two.
    path = [part for part in resource.to_string().split("/")[1:] if part != "Default"]
    if all(_WORD.fullmatch(part) for part in path):
        resource.override_logical_id("_".join(path))
    return resource
