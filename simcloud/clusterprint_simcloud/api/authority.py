"""A certificate authority of its own for each run: its key never leaves the process's scratch folder."""

from __future__ import annotations

import datetime as dt
import ssl
import threading
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

_LIFETIME = dt.timedelta(days=2)


class Authority:
    """Signs certificates for the hosts that clients ask for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._contexts: dict[str, ssl.SSLContext] = {}
        signed = self._signed(
            "simulated Google APIs", self._key, x509.BasicConstraints(ca=True, path_length=None)
        )
        self._subject = signed.subject
        self.certificate = folder / "authority.pem"
        self.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    def context(self, host: str) -> ssl.SSLContext:
        """The files of a server that is called `host`."""
        with self._lock:
            return self._contexts.get(host) or self._made(host)

    def _made(self, host: str) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        signed = self._signed(host, key, x509.SubjectAlternativeName([x509.DNSName(host)]))
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file = self._folder / f"{len(self._contexts)}.pem"
        file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        context.set_alpn_protocols(["http/1.1"])
        self._contexts[host] = context
        return self._contexts[host]

    def _signed(
        self, name: str, key: ec.EllipticCurvePrivateKey, extension: x509.ExtensionType
    ) -> x509.Certificate:
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name[:64])])
        now = dt.datetime.now(dt.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(getattr(self, "_subject", subject))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(hours=1))
            .not_valid_after(now + _LIFETIME)
            .add_extension(extension, critical=True)
            .sign(self._key, hashes.SHA256())
        )
