"""The Terraform provider google, in the version that a plan names, and what its bindings do not know."""

from collections.abc import Iterator

from cdktf import TerraformResource, TerraformStack
from cdktf_cdktf_provider_google.provider import GoogleProvider

from clusterprint.errors import InternalError
from stacks.addresses import terraform_type
from stacks.engines import require
from stacks.google.unbound_arguments import BEYOND


def require_google(
    stack: TerraformStack, version: str, *, project: str, region: str, zone: str | None = None
) -> None:
    """Let a stack have the provider google in a version."""
    GoogleProvider(stack, "google", project=project, region=region, zone=zone)
    require(stack, "google", version)


def set_beyond(resource: TerraformResource, argument: str, value: object) -> None:
    """Set an argument that the bindings do not have, or not all of, unless there is nothing to set.

    `argument` is dotted; what is below it in `value` may be new as well.
    """
    known = BEYOND.get(terraform_type(resource), frozenset())
    if not known & {argument, *_paths(value, argument)}:
        raise InternalError(
            f"{terraform_type(resource)}.{argument} is not in stacks.google.unbound_arguments"
        )
    if value:
        resource.add_override(argument, value)


def set_beyond_in(resource: TerraformResource, block: str, index: int, argument: str, value: object) -> None:
    """The same for an argument of one of several blocks."""
    if f"{block}.{argument}" not in BEYOND.get(terraform_type(resource), frozenset()):
        raise InternalError(
            f"{terraform_type(resource)}.{block}.{argument} is not in stacks.google.unbound_arguments"
        )
    if value:
        resource.add_override(f"{block}.{index}.{argument}", value)


def _paths(value: object, above: str) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _paths(each, above)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield f"{above}.{name}"
            yield from _paths(each, f"{above}.{name}")
