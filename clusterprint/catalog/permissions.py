"""Permissions per resource type, and the roles that contain them."""

import re
from collections.abc import Mapping
from fnmatch import translate
from functools import cache
from typing import Literal

import msgspec

from clusterprint.catalog.fact import Fact, read_table

Cloud = Literal["google", "azure"]


class TypeRights(Fact, frozen=True, kw_only=True):
    """The permissions that Terraform needs for resources of one type.

    `read` is what a plan asks for, `create`, `update` and `delete` what an apply may need besides. `extra`
    (`with` in the table) are needed to create and to update one in which an argument of that name, at any
    depth, is set and not false; `extra_delete` (`delete_with`) to delete such a one. `roles` are for what no
    list of permissions covers, by task: `plan`, `apply`, `destroy`.
    """

    read: tuple[str, ...] = ()
    create: tuple[str, ...] = ()
    update: tuple[str, ...] = ()
    delete: tuple[str, ...] = ()
    extra: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict, name="with")
    extra_delete: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict, name="delete_with")
    roles: dict[str, str] = msgspec.field(default_factory=dict)


class Role(Fact, frozen=True, kw_only=True):
    """A predefined role: patterns (`*` is any text) of what it permits, as far as deploying may ask for it.

    `besides` are patterns of what it does not permit all the same.
    """

    cloud: Cloud
    permissions: tuple[str, ...]
    besides: tuple[str, ...] = ()

    def permits(self, permission: str) -> bool:
        """Whether the role has the permission."""
        return _matches(permission, self.permissions) and not _matches(permission, self.besides)


def _matches(permission: str, patterns: tuple[str, ...]) -> bool:
    return bool(_one_of(patterns).match(permission))


@cache
def _one_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    # Without patterns there is nothing that fits.
    return re.compile("|".join(map(translate, patterns)) or "(?!)")


@cache
def _types() -> dict[str, TypeRights]:
    return read_table("rights/types", dict[str, TypeRights])


@cache
def roles() -> Mapping[str, Role]:
    """All predefined roles of the catalog by name, the narrower ones first."""
    return read_table("rights/roles", dict[str, Role])


def type_rights(type_: str) -> TypeRights | None:
    """The permissions that resources of a type need."""
    return _types().get(type_)
