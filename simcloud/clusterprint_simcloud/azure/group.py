"""Resource groups, and rules for everything in them."""

from __future__ import annotations

import uuid

from clusterprint_simcloud.azure.ids import GROUP, group_id, known, look_up, subscription
from clusterprint_simcloud.azure.refusal import refusal
from clusterprint_simcloud.cloud import lifecycle
from clusterprint_simcloud.cloud.behaviour import Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.schema import TypeNotation
from clusterprint_simcloud.values import Path, Value

_MOST_TAGS = 50
_LONGEST_TAG = 256
_LONGEST_TAG_NAME = 512
_LONGEST_TAG_NAME_OF_STORAGE = 128
_NOT_IN_TAG_NAMES = set("<>%&\\?/")
_TAGS_OF_AZURE = ("azure", "microsoft", "windows")


def admit(request: Request) -> None:
    """Refuse what is in no subscription, or in no resource group that is there."""
    if not subscription(request):
        message = "unable to build authorizer: `subscription_id` is a required provider property"
        raise ApiError(message)
    group = request.text("resource_group_name")
    if group and look_up(request.contents, group_id(request, group), GROUP) is None:
        text = f"Resource group '{group}' could not be found."
        raise refusal(request, "ResourceGroupNotFound", text, "404 (404 Not Found)")
    _check_tags(request, request.state.get("tags") or {})


def _check_tags(request: Request, tags: dict[str, object]) -> None:
    """Refuse tags that Azure refuses (documentation: use tags to organize resources, limitations)."""
    if len(tags) > _MOST_TAGS or any(len(str(one)) > _LONGEST_TAG for one in tags.values()):
        raise refusal(request, "InvalidTags", f"At most {_MOST_TAGS} tags of {_LONGEST_TAG} characters.")
    storage = request.kind.name == "azurerm_storage_account"
    longest = _LONGEST_TAG_NAME_OF_STORAGE if storage else _LONGEST_TAG_NAME
    seen: set[str] = set()
    for name in tags:
        if len(name) > longest or _NOT_IN_TAG_NAMES & set(name):
            raise refusal(request, "InvalidTagNameCharacters", f"The tag name '{name}' is not valid.")
        if name.lower().startswith(_TAGS_OF_AZURE):
            raise refusal(request, "ReservedTagName", f"The tag name '{name}' is reserved.")
        if name.lower() in seen:
            raise refusal(request, "AmbiguousTagNames", f"Tag names are case-insensitive: '{name}'.")
        seen.add(name.lower())


def _check_empty(request: Request) -> None:
    """The provider looks before it deletes (prevent_deletion_if_contains_resources)."""
    prefix = f"{request.identity.lower()}/"
    inside = [one.id for one in request.contents.records.values() if one.id.lower().startswith(prefix)]
    if inside:
        text = f"the Resource Group still contains Resources: {', '.join(sorted(inside))}"
        raise ApiError(f"deleting Resource Group {request.text('name')!r}: {text}")


def made_up(seed: str) -> str:
    """A UUID, always the same for a seed."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, seed))


def value(request: Request, path: Path, notation: TypeNotation) -> Value:
    """The value of a computed attribute that its type does not describe."""
    name = path[-1]
    if notation == "string" and isinstance(name, str) and name.endswith(("_id", "guid")):
        return made_up(f"{request.identity} {path}")
    if notation == "string" and len(path) > 1:
        return ""
    return lifecycle.placeholder(request, path, notation)


RESOURCES = (
    ResourceType(
        GROUP,
        "Resource Group",
        lambda request: group_id(request, request.text("name")),
        known(GROUP),
        deleting=[_check_empty],
    ),
)
