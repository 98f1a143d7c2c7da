"""Where the bindings of the two engines differ: what stacks write is the same Terraform JSON with either.

The bindings of cdktn are those of newer providers, which have renamed some arguments. Stacks require the
providers that the bindings of cdktf were made from, and those that plans name, so such an argument is set by
the name that it has there: with `add_override`, where it is.
"""

from typing import TypeVar

import cdktf
from cdktf import TerraformResource, TerraformStack, Token

T = TypeVar("T")

_IS_CDKTF = cdktf.__name__ == "cdktf"


def require(stack: TerraformStack, provider: str, version: str) -> None:
    """Let a stack require a version of a provider that it has."""
    required = f"terraform.required_providers.{provider}"
    stack.add_override(f"{required}.version", version)
    if not _IS_CDKTF:
        stack.add_override(f"{required}.source", provider)


def require_as_bound(stack: TerraformStack, **versions: str) -> None:
    """Let a stack require those versions of providers that the bindings of cdktf require by themselves."""
    if not _IS_CDKTF:
        for provider, version in versions.items():
            require(stack, provider, version)


def only_block(block: T) -> T:
    """A block of which there is one, as the bindings in use take it: those of cdktn take a list."""
    return block if _IS_CDKTF else [block]  # type: ignore[return-value] # the bindings of cdktf


def block_attribute(resource: TerraformResource, block: str, attribute: str) -> str:
    """A reference to an attribute of the only block of its name."""
    return Token.as_string(resource.interpolation_for_attribute(f"{block}[0].{attribute}"))
