"""The certificate of spawned providers: Terraform talks TLS to them, and trusts what they announce."""

from __future__ import annotations

import base64
import datetime as dt

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from clusterprint_simcloud import cache

_LIFETIME = dt.timedelta(days=3650)


class Certificate(msgspec.Struct, frozen=True):
    """A self-signed certificate for localhost with its key; nothing to protect: both ends are here."""

    key: str
    pem: str
    announced: str  # base64 of the DER form, without padding, as go-plugin wants it

    @classmethod
    def cached(cls) -> Certificate:
        """The one of this user; made at the first call, as generating keys is slow."""
        path = cache.folder() / "simulated-provider-certificate.json"
        if not path.exists():
            cache.write(path, msgspec.json.encode(cls.make()))
        return msgspec.json.decode(path.read_bytes(), type=cls)

    @classmethod
    def make(cls) -> Certificate:
        """A new one."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        now = dt.datetime.now(dt.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(hours=1))
            .not_valid_after(now + _LIFETIME)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .sign(key, hashes.SHA256())
        )
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        announced = (
            base64.b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode().rstrip("=")
        )
        return cls(private.decode(), certificate.public_bytes(serialization.Encoding.PEM).decode(), announced)
