"""Settings of every machine on Azure: an image, a user, keys, custom data, a price."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from clusterprint_simcloud.azure.ids import block
from clusterprint_simcloud.azure.refusal import invalid, refusal
from clusterprint_simcloud.cloud.behaviour import Request

_MOST_CUSTOM_DATA = 65535  # bytes before base64
# Users that the provider and Azure refuse (documentation of virtual machines, frequently asked questions).
_REFUSED_USERS = frozenset(
    {
        "1", "123", "a", "actuser", "adm", "admin", "admin1", "admin2", "administrator", "aspnet", "backup",
        "console", "david", "guest", "john", "owner", "root", "server", "sql", "support_388945a0", "support",
        "sys", "test", "test1", "test2", "test3", "user", "user1", "user2", "user3", "user4", "user5",
        "video",
    }
)  # fmt: skip
_KEY = re.compile(r"\s*(ssh-rsa|ssh-ed25519)\s+([A-Za-z0-9+/=]+)(\s.*)?\s*")
_SHORTEST_RSA = 2048 // 8


def check_user(request: Request, user: str, keys: list[dict[str, Any]]) -> None:
    """Refuse user names that Azure refuses, and keys that are none."""
    if user.lower() in _REFUSED_USERS:
        raise invalid(request, f'"admin_username" specified is not allowed: {user!r}')
    if not keys:
        raise invalid(request, "Either an `admin_password` or an `admin_ssh_key` must be specified")
    for key in keys:
        if key.get("username") != user:
            text = "Destination path for SSH public keys is limited to that of the administrator."
            raise refusal(request, "InvalidParameter", text)
        _check_key(request, str(key.get("public_key")))


def _check_key(request: Request, text: str) -> None:
    match = _KEY.fullmatch(text)
    if match is None:
        raise invalid(request, '"public_key" is not a complete SSH2 public key')
    try:
        blob = base64.b64decode(match[2], validate=True)
    except binascii.Error as error:
        raise invalid(request, '"public_key" is not a complete SSH2 public key') from error
    if match[1] == "ssh-rsa" and len(blob) < _SHORTEST_RSA:
        raise invalid(request, '"public_key": RSA key must have at least 2048 bits')


def check_custom_data(request: Request, text: object) -> None:
    """Refuse custom data that is not base64, or too long."""
    if not isinstance(text, str) or not text:
        return
    try:
        size = len(base64.b64decode(text, validate=True))
    except binascii.Error as error:
        raise invalid(request, '"custom_data" must be a base64 encoded string') from error
    if size > _MOST_CUSTOM_DATA:
        raise refusal(
            request, "InvalidParameter", f"Custom data has {size} bytes, at most {_MOST_CUSTOM_DATA}."
        )


def check_image(request: Request) -> None:
    """Refuse anything but exactly one image."""
    given = [bool(request.text("source_image_id")), bool(block(request.state, "source_image_reference"))]
    if sum(given) != 1:
        raise invalid(request, "one of `source_image_id`,`source_image_reference` must be specified")


def check_spot(request: Request) -> None:
    """Refuse spot without what it needs, and what only spot has."""
    spot = request.text("priority") == "Spot"
    if spot and not request.text("eviction_policy"):
        raise invalid(request, "an `eviction_policy` must be specified when `priority` is set to `Spot`")
    if not spot and request.text("eviction_policy"):
        raise invalid(request, "an `eviction_policy` can only be specified when `priority` is set to `Spot`")
    if not spot and float(request.state.get("max_bid_price") or -1) > 0:
        raise invalid(request, "`max_bid_price` can only be configured when `priority` is set to `Spot`")
