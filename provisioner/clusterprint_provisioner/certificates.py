"""Certificates that the webhook makes for itself, and when the next one takes over."""

import datetime as dt
from collections.abc import Mapping

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

LIFE = dt.timedelta(days=30)
#: So long before its end the next one is made.
RENEW = dt.timedelta(days=10)
#: So long the next one is trusted before it is shown: API servers hear of it one after the other.
SETTLE = dt.timedelta(minutes=10)
#: Clocks differ.
_BEFORE = dt.timedelta(hours=1)
_CERTIFICATE, _KEY, _NEXT_CERTIFICATE, _NEXT_KEY, _BUNDLE = (
    "tls.crt",
    "tls.key",
    "next.crt",
    "next.key",
    "ca.crt",
)


class Pair(Struct, frozen=True):
    """A certificate that signs for itself, and its key, as PEM."""

    certificate: bytes
    key: bytes


class Kept(Struct, frozen=True):
    """The content of the Secret: the current certificate, the next one, and all trusted ones."""

    shown: Pair
    next: Pair | None
    bundle: bytes

    @property
    def data(self) -> dict[str, bytes]:
        """As the data of a Secret."""
        found = {_CERTIFICATE: self.shown.certificate, _KEY: self.shown.key, _BUNDLE: self.bundle}
        if self.next:
            found |= {_NEXT_CERTIFICATE: self.next.certificate, _NEXT_KEY: self.next.key}
        return found


def step(data: Mapping[str, bytes], host: str, now: dt.datetime) -> Kept:
    """The next content of the Secret, from the current one: unchanged unless a rotation is due."""
    shown = _pair(data.get(_CERTIFICATE), data.get(_KEY), host, now)
    following = _pair(data.get(_NEXT_CERTIFICATE), data.get(_NEXT_KEY), host, now)
    if shown is None:
        # Nothing to lose: what nobody can trust is not waited for.
        shown, following = following or make(host, now), None
    elif following is not None and now >= _made(following) + SETTLE:
        shown, following = following, None
    elif following is None and now >= _certificate(shown).not_valid_after_utc - RENEW:
        following = make(host, now)
    trusted = [*_still_valid(data.get(_BUNDLE, b""), now), shown.certificate]
    trusted += [following.certificate] if following else []
    return Kept(shown, following, b"".join(dict.fromkeys(trusted)))


def make(host: str, now: dt.datetime) -> Pair:
    """A new certificate for a host name, with a key of its own."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "slice-provisioner webhook")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BEFORE)
        .not_valid_after(now + LIFE)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8
    return Pair(
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()),
    )


def _pair(certificate: bytes | None, key: bytes | None, host: str, now: dt.datetime) -> Pair | None:
    """A pair that may be used now; None for what is missing, damaged, of another host, or too old or new."""
    if not (certificate and key):
        return None
    try:
        read = x509.load_pem_x509_certificate(certificate)
        secret = serialization.load_pem_private_key(key, password=None)
        names = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, x509.ExtensionNotFound):
        return None
    fits = host in names.get_values_for_type(x509.DNSName) and secret.public_key() == read.public_key()
    return Pair(certificate, key) if fits and _is_valid(read, now) else None


def _still_valid(bundle: bytes, now: dt.datetime) -> list[bytes]:
    try:
        found = x509.load_pem_x509_certificates(bundle) if bundle else []
    except ValueError:
        return []
    return [each.public_bytes(serialization.Encoding.PEM) for each in found if _is_valid(each, now)]


def _is_valid(certificate: x509.Certificate, now: dt.datetime) -> bool:
    return certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc


def _certificate(pair: Pair) -> x509.Certificate:
    return x509.load_pem_x509_certificate(pair.certificate)


def _made(pair: Pair) -> dt.datetime:
    return _certificate(pair).not_valid_before_utc + _BEFORE
