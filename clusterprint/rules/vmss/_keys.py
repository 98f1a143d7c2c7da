"""The form of public SSH keys. Nothing here repeats a key: it may be the private half."""

import base64
import binascii
import re
from typing import NamedTuple

#: What Azure takes (provider: admin_ssh_key).
TYPES = ("ssh-ed25519", "ssh-rsa")
SHORTEST_RSA = 2048

_OTHER_TYPES = ("ssh-dss", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-")
_LENGTH_BYTES = 4


class KeyProblem(NamedTuple):
    """The fault of a key, completing "the key ...", and the help."""

    message: str
    help: str


def problem(text: str) -> KeyProblem | None:
    """Why a text is no public key that Azure takes; None if it is one."""
    if re.search(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY", text) or text.startswith("PuTTY-User-Key-File"):
        return KeyProblem("is a private key", "name the public half, which ssh-keygen writes to a .pub file")
    if re.search(r"-----BEGIN|---- BEGIN", text):
        return KeyProblem(
            "is a key in another format", "convert it: ssh-keygen -i -f KEY writes the required format"
        )
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        return KeyProblem(f"has {len(lines)} lines", "keep the one line with the key")
    words = lines[0].split()
    if words[0].startswith(_OTHER_TYPES):
        return KeyProblem(
            f"has type {words[0]}, which Azure does not accept", "make one with ssh-keygen -t ed25519"
        )
    if words[0] not in TYPES or len(words) == 1:
        return KeyProblem("is not a public SSH key", f"it begins with {' or '.join(TYPES)} and the key")
    return _blob_problem(words[0], words[1])


def _blob_problem(kind: str, encoded: str) -> KeyProblem | None:
    """Look inside: the key repeats its type, and an RSA key says its length."""
    fields = _fields(encoded)
    if not fields or fields[0] != kind.encode():
        return KeyProblem("is cut off or changed", "copy it once more, with all of its characters")
    if kind == "ssh-rsa":
        bits = int.from_bytes(fields[-1], "big").bit_length()
        if bits < SHORTEST_RSA:
            return KeyProblem(
                f"is an RSA key of {bits} bits, but Azure requires {SHORTEST_RSA} or more",
                "make one with ssh-keygen -t ed25519",
            )
    return None


def _fields(encoded: str) -> list[bytes]:
    """The fields inside of a key, each with its length in front; nothing if they do not fill it."""
    try:
        rest = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        return []
    fields = []
    while rest:
        length = int.from_bytes(rest[:_LENGTH_BYTES], "big")
        field, rest = rest[_LENGTH_BYTES : _LENGTH_BYTES + length], rest[_LENGTH_BYTES + length :]
        if len(field) != length:
            return []
        fields.append(field)
    return fields
