"""How Azure resources name each other: by full ids, in which case does not count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clusterprint_simcloud import arguments
from clusterprint_simcloud.arguments import Argument, Arguments
from clusterprint_simcloud.azure.refusal import not_found
from clusterprint_simcloud.cloud.behaviour import Reference, Request
from clusterprint_simcloud.cloud.contents import Contents, Record

GROUP = "azurerm_resource_group"


def known(kind: str, /, **more: Argument) -> Arguments:
    """Facts about the ids of a type."""
    return arguments.adding(arguments.load("clusterprint_simcloud.azure").get(kind, {}), **more)


def named(kind: str, pattern: str, /, **more: Argument) -> Arguments:
    """As `known`, for a type whose name must match a pattern."""
    return known(kind, name=Argument(matches=pattern), **more)


def subscription(request: Request) -> str:
    """The subscription that the provider works in."""
    return str(request.config.get("subscription_id") or "")


def group_id(request: Request, group: str) -> str:
    """The id of a resource group in the provider's subscription."""
    return f"/subscriptions/{subscription(request)}/resourceGroups/{group}"


def below_group(kind: str) -> Callable[[Request], str]:
    """The ids of a type that lives in resource groups; `kind` is like `Microsoft.Network/virtualNetworks`."""

    def identity(request: Request) -> str:
        group = group_id(request, request.text("resource_group_name"))
        return f"{group}/providers/{kind}/{request.text('name')}"

    return identity


def below(parent: str, kind: str) -> Callable[[Request], str]:
    """The ids of a type that is a part of the resource whose id is in the argument `parent`."""
    return lambda request: f"{request.text(parent)}/{kind}/{request.text('name')}"


def look_up(contents: Contents, value: object, *kinds: str) -> Record | None:
    """The record with an id."""
    if not isinstance(value, str):
        return None
    wanted = value.lower()
    return next((one for one in contents.of(*kinds) if one.id.lower() == wanted), None)


def ref(path: str, *kinds: str, holds: bool = True) -> Reference:
    """An argument that holds the id of another resource, or several."""
    return Reference(
        path,
        lambda request, value: look_up(request.contents, value, *kinds),
        lambda request, _steps, value: not_found(request, value),
        lambda one, other: one.lower() == other.lower(),
        holds,
    )


def block(state: dict[str, Any], name: str) -> dict[str, Any]:
    """The only block of a name, empty if there is none."""
    found = state.get(name)
    first = found[0] if isinstance(found, list) and found else found
    return first if isinstance(first, dict) else {}


def blocks(state: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """All blocks of a name."""
    found = state.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def text_list(state: dict[str, Any], name: str) -> list[str]:
    """A list of texts, empty if there is none."""
    return [one for one in state.get(name) or [] if isinstance(one, str)]
