"""An instance of sigstore for tests: a certificate authority, a log of certificates, and one of signatures.

The clients and all checks are sigstore's own; this answers them as Fulcio and Rekor do.
"""

import base64
import hashlib
import json
import struct
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier
from sigstore._internal.rekor.client import RekorClient
from sigstore.models import TransparencyLogEntry, TrustedRoot
from sigstore.sign import SigningContext
from sigstore.verify import Verifier

from clusterprint.proof.workflow_identity import ISSUER

_ISSUER = ObjectIdentifier("1.3.6.1.4.1.57264.1.1")
_STAMPS = ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
_SHA256 = ec.ECDSA(hashes.SHA256())


class Certified(NamedTuple):
    """The answer of a certificate authority."""

    cert: x509.Certificate
    chain: list[x509.Certificate]


def _der(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _identifier(key: ec.EllipticCurvePrivateKey) -> bytes:
    return hashlib.sha256(_der(key)).digest()


class Instance:
    """It certifies whoever a token is about, and logs all that it is given."""

    def __init__(self, folder: Path) -> None:
        self._ca, self._ct, self._log = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
        self._now = datetime.now(UTC).replace(microsecond=0)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
        self._root = (
            self._certificate(name, self._ca)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(certificates=True), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._ca.public_key()), critical=False)
            .sign(self._ca, hashes.SHA256())
        )
        file = folder / "trusted_root.json"
        file.write_text(json.dumps(self._roots()), "utf-8")
        self.roots = TrustedRoot.from_file(str(file))

    def verifier(self) -> Verifier:
        """Trusts this instance alone."""
        return Verifier(trusted_root=self.roots)

    def context(self) -> SigningContext:
        """Signs at this instance."""
        return SigningContext(fulcio=_Fulcio(self), rekor=_Rekor(self), trusted_root=self.roots)  # type: ignore[arg-type]

    def token(self, workflow: str) -> str:
        """A token as GitHub gives it to a workflow, named as OWNER/REPOSITORY/FILE@REF."""
        times = {"iat": self._now, "nbf": self._now, "exp": self._now + timedelta(minutes=5)}
        claims = {"iss": ISSUER, "aud": "sigstore", "sub": "repo:a/b", "job_workflow_ref": workflow, **times}
        return jwt.encode(claims, "x" * 32, algorithm="HS256")

    def certify(self, key: ec.EllipticCurvePublicKey, identity: str) -> Certified:
        """A certificate of ten minutes, logged."""
        builder = (
            self._certificate(x509.Name([]), self._ca, key)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._ca.public_key()), critical=False
            )
            .add_extension(
                x509.SubjectAlternativeName([x509.UniformResourceIdentifier(identity)]), critical=True
            )
            .add_extension(x509.UnrecognizedExtension(_ISSUER, ISSUER.encode()), critical=False)
        )
        draft = builder.sign(self._ca, hashes.SHA256()).tbs_certificate_bytes
        stamp = int(self._now.timestamp() * 1000)
        length = struct.pack("!I", len(draft))[1:]
        entry = _identifier(self._ca) + length + draft
        signed = self._ct.sign(struct.pack("!BBQH", 0, 0, stamp, 1) + entry + b"\0\0", _SHA256)
        sct = b"\0" + _identifier(self._ct) + struct.pack("!QHBBH", stamp, 0, 4, 3, len(signed)) + signed
        listed = struct.pack("!HH", len(sct) + 2, len(sct)) + sct
        assert len(listed) < 128
        stamps = x509.UnrecognizedExtension(_STAMPS, bytes((4, len(listed))) + listed)
        cert = builder.add_extension(stamps, critical=False).sign(self._ca, hashes.SHA256())
        return Certified(cert, [self._root])

    def log(self, request: Any) -> TransparencyLogEntry:
        """The entry of an envelope in a log that has nothing else."""
        proposed = request["spec"]["proposedContent"]
        envelope = json.loads(proposed["envelope"])
        spec = {
            "envelopeHash": _hash(proposed["envelope"].encode()),
            "payloadHash": _hash(base64.b64decode(envelope["payload"])),
            "signatures": [
                {"signature": each["sig"], "verifier": verifier}
                for each, verifier in zip(envelope["signatures"], proposed["verifiers"], strict=True)
            ],
        }
        body = json.dumps({"apiVersion": "0.0.1", "kind": "dsse", "spec": spec}).encode()
        root = hashlib.sha256(b"\0" + body).digest()
        note = f"test - 1\n1\n{base64.b64encode(root).decode()}\n"
        name = _identifier(self._log)
        signed = base64.b64encode(name[:4] + self._log.sign(note.encode(), _SHA256)).decode()
        text, at = base64.b64encode(body).decode(), int(self._now.timestamp())
        promised = {"body": text, "integratedTime": at, "logID": name.hex(), "logIndex": 0}
        canonical = json.dumps(promised, sort_keys=True, separators=(",", ":")).encode()
        proof = {
            "checkpoint": f"{note}\n\N{EM DASH} test {signed}\n",
            "hashes": [],
            "logIndex": 0,
            "rootHash": root.hex(),
            "treeSize": 1,
        }
        promise = base64.b64encode(self._log.sign(canonical, _SHA256)).decode()
        verification = {"inclusionProof": proof, "signedEntryTimestamp": promise}
        return TransparencyLogEntry._from_v1_response({"0": {**promised, "verification": verification}})  # noqa: SLF001

    def _certificate(
        self, name: x509.Name, ca: ec.EllipticCurvePrivateKey, key: ec.EllipticCurvePublicKey | None = None
    ) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")]))
            .public_key(key or ca.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self._now - timedelta(minutes=1))
            .not_valid_after(self._now + timedelta(minutes=10))
        )

    def _roots(self) -> dict[str, Any]:
        since = {"start": f"{self._now - timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"}

        def log(key: ec.EllipticCurvePrivateKey) -> dict[str, Any]:
            public = {
                "rawBytes": _text(_der(key)),
                "keyDetails": "PKIX_ECDSA_P256_SHA_256",
                "validFor": since,
            }
            return {
                "baseUrl": "https://log.invalid",
                "hashAlgorithm": "SHA2_256",
                "publicKey": public,
                "logId": {"keyId": _text(_identifier(key))},
            }

        chain = {"certificates": [{"rawBytes": _text(self._root.public_bytes(serialization.Encoding.DER))}]}
        subject = {"organization": "test", "commonName": "test"}
        authority = {"subject": subject, "uri": "https://ca.invalid", "certChain": chain, "validFor": since}
        return {
            "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
            "tlogs": [log(self._log)],
            "certificateAuthorities": [authority],
            "ctlogs": [log(self._ct)],
            "timestampAuthorities": [],
        }


class _Fulcio:
    """Certifies as Fulcio's client does, which has its ways in attributes."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.signing_cert = self

    def post(self, request: x509.CertificateSigningRequest, token: Any) -> Certified:
        key = request.public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        claims = jwt.decode(str(token), options={"verify_signature": False})
        return self._instance.certify(key, f"https://github.com/{claims['job_workflow_ref']}")


class _Rekor(RekorClient):
    """Writes requests as Rekor's client does, and sends them nowhere."""

    def __init__(self, instance: Instance) -> None:
        super().__init__("https://log.invalid")
        self._instance = instance

    def create_entry(self, request: Any) -> TransparencyLogEntry:
        return self._instance.log(request)


def _usage(*, certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not certificates,
        key_cert_sign=certificates,
        crl_sign=certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _hash(content: bytes) -> dict[str, str]:
    return {"algorithm": "sha256", "value": hashlib.sha256(content).hexdigest()}


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
