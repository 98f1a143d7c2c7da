"""Instance identity tokens as Google's metadata server makes them, by keys of the tests' own.

https://cloud.google.com/compute/docs/instances/verifying-instance-identity#payload
"""

import base64
import datetime as dt
import hashlib
import json
import time
from functools import cache
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

DAY = 86_400


class Signer(NamedTuple):
    """A key of Google's, and the certificate that it publishes."""

    id: str
    key: rsa.RSAPrivateKey
    certificate: str


@cache
def signer(name: str = "now", ends_in: int = 5 * DAY) -> Signer:
    """A key by its name, whose certificate ends so many seconds from now."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    end = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=ends_in)
    made = x509.CertificateBuilder(
        subject_name=subject,
        issuer_name=subject,
        public_key=key.public_key(),
        serial_number=1,
        not_valid_before=end - dt.timedelta(days=16),
        not_valid_after=end,
    ).sign(key, hashes.SHA256())
    return Signer(name, key, made.public_bytes(serialization.Encoding.PEM).decode())


def certificates(*signers: Signer) -> str:
    """The answer of https://www.googleapis.com/oauth2/v1/certs."""
    return json.dumps({each.id: each.certificate for each in signers})


def audience(key: str) -> str:
    """The audience of a token about a host key: its fingerprint as `ssh-keygen -l` writes it."""
    digest = base64.b64encode(hashlib.sha256(base64.b64decode(key)).digest()).decode().rstrip("=")
    return f"clusterprint:SHA256:{digest}"


@cache
def token(key: str, machine: tuple[str, str, str], by: Signer | None = None, **changes: Any) -> str:
    """A token of the machine with an id, name and zone, about a host key.

    `changes` are other claims; `algorithm` another word for it in the header.
    """
    by = by or signer()
    identity, name, zone = machine
    issued = int(time.time()) - 40 * DAY  # the token has long expired
    place = {
        "project_id": changes.pop("project", "my-project"),
        "project_number": 739419398126,
        "zone": zone,
        "instance_id": identity,
        "instance_name": name,
        "instance_creation_timestamp": issued,
    }
    head = {"alg": changes.pop("algorithm", "RS256"), "kid": by.id, "typ": "JWT"}
    claims = {
        "iss": "https://accounts.google.com",
        "aud": audience(key),
        "iat": issued,
        "exp": issued + 3600,
        "google": {"compute_engine": place},
        **changes,
    }
    signed = ".".join(_encoded(json.dumps(each).encode()) for each in (head, claims))
    return f"{signed}.{_encoded(by.key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
