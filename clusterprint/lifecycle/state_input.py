"""States are input: anyone who may write to the bucket may have put anything there.

The shape of a state is checked before anybody looks into it. What of it goes into commands, or into documents
for Terraform, has to look like what it is called.
"""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Mapping
from ipaddress import AddressValueError, IPv4Address
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from clusterprint.errors import EnvironmentFailure

_MOST_CHARACTERS = 256 * 1024 * 1024
# No provider's blocks lie half as deep; a walk through much deeper values would end Python itself.
_DEEPEST = 64

_Word = Annotated[str, Meta(pattern=r"^[^\W\d][-\w]*\Z")]
_Address = Annotated[str, Meta(pattern=r'^[-\w.\[\]"/:@ ]*\Z')]


class _Instance(msgspec.Struct):
    attributes: dict[str, Any] | None = None
    dependencies: list[_Address] | None = None
    index_key: str | int | None = None
    status: str | None = None


class _Resource(msgspec.Struct):
    type: _Word
    name: _Word
    mode: Literal["managed", "data"]
    module: _Address = ""
    provider: str = ""
    instances: list[_Instance] | None = None


class _Output(msgspec.Struct):
    value: Any = None
    sensitive: bool | None = None


class _State(msgspec.Struct):
    version: Literal[4] = 4
    serial: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0
    lineage: str = ""
    resources: list[_Resource] | None = None
    outputs: dict[_Word, _Output] | None = None


# Projects of a domain have that before their name.
_PLACE = re.compile(r"[a-z][-a-z0-9]{0,62}")
_PATTERNS = {
    "project": re.compile(r"(?:[a-z0-9][-a-z0-9.]{0,80}:)?[a-z][-a-z0-9]{0,62}"),
    "region": _PLACE,
    "zone": _PLACE,
    "location": _PLACE,
    "name": _PLACE,
}
# Google Kubernetes Engine API: DNSEndpointConfig.endpoint, such as uid.us-central1.gke.goog.
_HOST = re.compile(r"(?:[a-z0-9][-a-z0-9]{0,62}\.){1,4}gke\.goog")
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*")
_SHOWN = 60


def parse_state(text: str, where: str) -> dict[str, Any]:
    """The state in a text, as Terraform keeps it. Raises EnvironmentFailure if it is none.

    `where` is what people call the place that it was read from.
    """
    try:
        document = json.loads(text) if len(text) <= _MOST_CHARACTERS else None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or "version" not in document:
        raise EnvironmentFailure(f"{where} is not a Terraform state")
    check_state(document, where)
    return document


def check_state(document: Mapping[str, Any], where: str = "the state") -> None:
    """Raises EnvironmentFailure for what is not built as Terraform builds a state."""
    if _is_deep(document):
        raise EnvironmentFailure(f"{where} is not a Terraform state: its values lie too deep in each other")
    try:
        msgspec.convert(document, _State)
    except msgspec.ValidationError as error:
        raise EnvironmentFailure(f"{where} is not a Terraform state: {_shown(str(error))}") from None


def version_of(document: Mapping[str, Any]) -> str:
    """The identity of a version of a state; empty for a state that was never written.

    Terraform writes an empty state where it looks for one. Raises EnvironmentFailure for what is no state.
    """
    check_state(document)
    serial = document.get("serial") or 0
    if serial <= 1 and not document.get("resources"):
        return ""
    lineage = hashlib.sha256(str(document.get("lineage")).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{serial}-{lineage[:16]}"


def _is_deep(document: object) -> bool:
    level: list[object] = [document]
    for _ in range(_DEEPEST):
        held = (each.values() if isinstance(each, dict) else each for each in level)
        level = [inner for each in held for inner in each if isinstance(inner, dict | list)]  # type: ignore[attr-defined]
        if not level:
            return False
    return True


def taken(attributes: Mapping[str, Any], name: str) -> str:
    """A project, place or name in a state; empty where the state has none.

    Raises EnvironmentFailure for a text that can be no such thing.
    """
    value = attributes.get(name)
    if not isinstance(value, str) or not value:
        return ""
    if not _PATTERNS[name].fullmatch(value):
        raise EnvironmentFailure(
            f"the state has {_shown(repr(value))} as a {name}, and no {name} looks like that: the state is "
            "damaged, or somebody has changed it; nothing of it was used"
        )
    return value


def host(value: object) -> str:
    """The DNS name of a GKE cluster, as Google issues it. Raises EnvironmentFailure for others."""
    if not isinstance(value, str) or not _HOST.fullmatch(value):
        raise EnvironmentFailure(f"the state has {_shown(repr(value))} as the address of a cluster")
    return value


def address(value: object) -> str:
    """An IPv4 address. Raises EnvironmentFailure for anything else."""
    try:
        return str(IPv4Address(value if isinstance(value, str) else ""))
    except AddressValueError:
        raise EnvironmentFailure(f"the state has {_shown(repr(value))} as an IP address") from None


def certificate(value: object) -> str:
    """The certificate in a text that is encoded by base64. Raises EnvironmentFailure if there is none."""
    try:
        text = base64.b64decode(value if isinstance(value, str) else "", validate=True).decode("ascii")
    except (binascii.Error, UnicodeError, ValueError):
        text = ""
    if not _CERTIFICATE.fullmatch(text):
        raise EnvironmentFailure("the state has no certificate of the cluster that can be read")
    return text


def _shown(said: str) -> str:
    """Its beginning and its end, where msgspec says the place."""
    return said if len(said) <= 2 * _SHOWN else f"{said[:_SHOWN]}...{said[-_SHOWN:]}"
