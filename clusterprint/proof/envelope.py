"""Envelopes of evidence (DSSE): written, signed, and read as other people's text."""

import base64
import binascii
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.files import inside
from clusterprint.proof import workflow_identity
from clusterprint.proof.types import Statement

ENDING = ".dsse.json"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
#: Where a repository keeps the public keys and the identities of workflows that it trusts.
KEYS = Path("evidence/keys")
_MOST_BYTES = 1 << 20
_MOST_SIGNATURES = 10


class Invalid(Exception):  # noqa: N818 - it is the evidence that is invalid
    """A file that is no evidence; the message completes "FILE: ..."."""


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signature, and the checksum of the public key that it needs."""

    sig: str
    keyid: str = ""


class _Bundle(msgspec.Struct, frozen=True, rename="camel"):
    """An envelope with what proves who signed it, which sigstore judges."""

    dsse_envelope: msgspec.Raw


class _Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "payloadType"}):
    payload: str
    kind: str
    signatures: list[Signature]


class Sealed(NamedTuple):
    """Evidence that was read: the statement, the bytes that were signed, and the signatures.

    `bundle` is the whole file where the identity of a workflow signed it.
    """

    statement: Statement
    payload: bytes
    signatures: tuple[Signature, ...]
    bundle: bytes = b""


def pae(payload: bytes) -> bytes:
    """The bytes that a signature of DSSE is for (pre-authentication encoding)."""
    kind = PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sealed(statement: Statement, key: Any | None) -> bytes:
    """The envelope of a statement, signed by a private key, or by nobody."""
    payload = msgspec.json.encode(statement)
    signatures = []
    if key is not None:
        sig = base64.b64encode(key.sign(pae(payload))).decode()
        signatures.append(Signature(sig, key_id(key.public_key())))
    envelope = _Envelope(base64.b64encode(payload).decode(), PAYLOAD_TYPE, signatures)
    return msgspec.json.format(msgspec.json.encode(envelope)) + b"\n"


def sealed_by_workflow(statement: Statement) -> bytes:
    """The bundle of a statement, signed by the identity of this workflow. Raises EnvironmentFailure."""
    return msgspec.json.format(workflow_identity.signed(msgspec.json.encode(statement))) + b"\n"


def read(file: Path) -> Sealed:
    """The evidence in a file. Raises Invalid."""
    try:
        return parse(inside.read(file, _MOST_BYTES))
    except inside.NotRead as refused:
        raise Invalid(f"the file {refused}") from None
    except OSError as error:
        raise Invalid(f"cannot be read: {error.strerror}") from error


def parse(content: bytes) -> Sealed:
    """The evidence in some bytes. Raises Invalid."""
    bundle = b""
    try:
        if "dsseEnvelope" in _refuse_doubled_keys(content):
            bundle, content = content, bytes(msgspec.json.decode(content, type=_Bundle).dsse_envelope)
        envelope = msgspec.json.decode(content, type=_Envelope)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"is no DSSE envelope: {_short(error)}") from None
    if envelope.kind != PAYLOAD_TYPE:
        raise Invalid(f"the type of its payload is {envelope.kind[:60]!r}, not {PAYLOAD_TYPE!r}")
    if len(envelope.signatures) > _MOST_SIGNATURES:
        raise Invalid(f"has more than {_MOST_SIGNATURES} signatures")
    payload = _decoded(envelope.payload, "payload")
    try:
        _refuse_doubled_keys(payload)
        statement = msgspec.json.decode(payload, type=Statement)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"its payload is no evidence of this version: {_short(error)}") from None
    return Sealed(statement, payload, tuple(envelope.signatures), bundle)


def _short(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]


def _refuse_doubled_keys(content: bytes) -> Any:
    """The JSON value. Raises ValueError for a map with a key twice: two readers may take different ones."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in found}) != len(found):
            raise ValueError("a key stands twice in one map")
        return dict(found)

    value = json.loads(content.decode("utf-8"), object_pairs_hook=pairs)
    return value if isinstance(value, dict) else {}


def _decoded(text: str, what: str) -> bytes:
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Invalid(f"its {what} is not base64") from None
    if base64.b64encode(content).decode() != text:
        raise Invalid(f"its {what} is not base64 in its only form")
    return content


# ---- keys


def _cryptography() -> Any:
    try:
        from cryptography.hazmat.primitives import serialization  # an extra, and slow to load
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise EnvironmentFailure(
            "signatures need the package cryptography: pip install 'clusterprint[evidence]'"
        ) from None
    return serialization, ed25519


def make_key(file: Path) -> str:
    """Make a key pair: the private key in a file that nobody else may read, the public one beside it.

    Returns the checksum of the public key. Raises UsageError where one of the two exists.
    """
    serialization, ed25519 = _cryptography()
    public = file.with_name(f"{file.name}.pub")
    taken = [each for each in (file, public) if os.path.lexists(each)]
    if taken:
        raise UsageError(
            f"{taken[0]} exists already, and a key is never overwritten: name another with --out"
        )
    key = ed25519.Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    shown = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for target, content, mode in ((file, private, 0o600), (public, shown, 0o644)):
            with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
                stream.write(content)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {error.filename or file}: {error.strerror}") from error
    return key_id(key.public_key())


def key_id(public: Any) -> str:
    """The checksum of a public key."""
    serialization, _ = _cryptography()
    der = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(der).hexdigest()


def private_key(file: Path) -> Any:
    """The private key in a file. Raises UsageError."""
    serialization, ed25519 = _cryptography()
    try:
        key = serialization.load_pem_private_key(_content(file), password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise UsageError(f"{file} is no private key of Ed25519 in PEM: `clusterprint evidence key` makes one")
    return key


def trusted_in(folder: Path) -> list[Path]:
    """The files of public keys and identities in a folder."""
    return sorted((*folder.glob("*.pub"), *folder.glob(f"*{workflow_identity.ENDING}")))


def trusted(files: Sequence[Path]) -> Mapping[str, Any]:
    """Public keys by their checksums, and issuers by identities of workflows.

    Raises UsageError for a file that has none.
    """
    found: dict[str, Any] = {}
    for file in files:
        if file.suffix == workflow_identity.ENDING:
            found |= workflow_identity.identities(_content(file).decode("utf-8", "replace"), file)
            continue
        serialization, ed25519 = _cryptography()
        try:
            key = serialization.load_pem_public_key(_content(file))
        except ValueError:
            key = None
        if not isinstance(key, ed25519.Ed25519PublicKey):
            raise UsageError(f"{file} is no public key of Ed25519 in PEM")
        found[key_id(key)] = key
    return found


def _content(file: Path) -> bytes:
    try:
        return inside.read(file, _MOST_BYTES)
    except inside.NotRead as refused:
        raise UsageError(f"{file} {refused}") from None
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error


def signed_by(evidence: Sealed, keys: Mapping[str, Any]) -> str:
    """The checksum of the trusted key, or the trusted identity, that signed it; empty for unsigned evidence.

    Raises Invalid if there are signatures, and one is wrong or none is by a trusted key.
    """
    if evidence.bundle:
        return _workflow(evidence, {name: each for name, each in keys.items() if isinstance(each, str)})
    good = ""
    for each in evidence.signatures:
        sig = _decoded(each.sig, "signature")
        key = keys.get(each.keyid)
        if key is None:
            continue
        from cryptography.exceptions import InvalidSignature  # there is a key, so the package is there

        try:
            key.verify(sig, pae(evidence.payload))
        except InvalidSignature:
            raise Invalid(f"its signature by key {each.keyid[:16]} does not fit: it was changed") from None
        good = each.keyid
    if evidence.signatures and not good:
        raise Invalid(
            f"it is signed by key {evidence.signatures[0].keyid[:16]!r}, which is not trusted: give its "
            f"public key with --trust, or put it into {KEYS}/"
        )
    return good


def _workflow(evidence: Sealed, identities: Mapping[str, str]) -> str:
    if not identities:
        raise Invalid(
            "it is signed by a workflow, and none is trusted: write its identity into a file "
            f"{KEYS}/NAME{workflow_identity.ENDING}"
        )
    try:
        name, payload = workflow_identity.verified(evidence.bundle, identities)
    except workflow_identity.Refused as refused:
        raise Invalid(f"it {refused}") from None
    if payload != evidence.payload:
        raise Invalid("its payload is not what was signed")
    return name


def named(signer: str) -> str:
    """A signer as one says it: the beginning of the checksum of a key, or a workflow."""
    return signer if ":" in signer else f"key {signer[:16]}"
