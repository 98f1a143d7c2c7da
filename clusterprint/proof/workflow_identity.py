"""Signatures by the identity of a GitHub workflow (sigstore): without a key, and anybody verifies offline."""

import logging
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clusterprint.errors import EnvironmentFailure, UsageError

#: Who says which workflow it is that runs.
ISSUER = "https://token.actions.githubusercontent.com"
#: Files of trusted identities, one to a line, beside the public keys.
ENDING = ".identity"
_IDENTITY = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/\.github/workflows/[\w./-]+@refs/[\w./-]+")


class Refused(Exception):  # noqa: N818 - a judgement, not a failure of ours
    """A bundle that does not verify; the message completes "it ..."."""


def identities(content: str, file: Path) -> Mapping[str, str]:
    """The issuers of the identities in the text of a file. Raises UsageError for another text."""
    lines = [each.strip() for each in content.splitlines()]
    found = [each for each in lines if each and not each.startswith("#")]
    for each in found:
        if not _IDENTITY.fullmatch(each):
            raise UsageError(
                f"{file}: {each[:80]!r} is no identity of a workflow: write "
                "https://github.com/OWNER/REPOSITORY/.github/workflows/FILE@refs/heads/BRANCH"
            )
    return dict.fromkeys(found, ISSUER)


def insist_on_workflow() -> None:
    """Raises UsageError outside of a workflow that has an identity, EnvironmentFailure without sigstore."""
    _token()


def signed(payload: bytes) -> bytes:
    """The bundle of a statement, by the identity of this workflow. Raises EnvironmentFailure."""
    _sigstore()
    from sigstore.dsse import Statement
    from sigstore.errors import Error
    from sigstore.oidc import IdentityToken
    from sigstore.sign import SigningContext

    try:
        with _context(SigningContext).signer(IdentityToken(_token())) as signer:
            text: str = signer.sign_dsse(Statement(payload)).to_json()
    except (Error, OSError, ValueError) as error:
        raise EnvironmentFailure(f"sigstore did not sign: {_short(error)}") from error
    return text.encode()


def verified(bundle: bytes, trusted: Mapping[str, str]) -> tuple[str, bytes]:
    """The identity that signed a bundle, and the payload. Raises Refused; no network is used."""
    _sigstore()
    from sigstore.errors import Error
    from sigstore.models import Bundle
    from sigstore.verify import policy

    try:
        read = Bundle.from_json(bundle)
        one_of = policy.AnyOf([policy.Identity(identity=name, issuer=each) for name, each in trusted.items()])
        _, payload = _verifier().verify_dsse(read, one_of)
    except (Error, ValueError, TypeError, KeyError, RecursionError) as error:
        raise Refused(f"does not verify: {_short(error)}") from None
    name = next(each for each in trusted if _has_name(read, each))
    return name, payload


def _has_name(bundle: Any, name: str) -> bool:
    from cryptography.x509 import SubjectAlternativeName, UniformResourceIdentifier

    names = bundle.signing_certificate.extensions.get_extension_for_class(SubjectAlternativeName).value
    return name in names.get_values_for_type(UniformResourceIdentifier)


def _verifier() -> Any:
    """Judges by the roots of sigstore's public instance that are on this machine."""
    from sigstore.verify import Verifier

    return Verifier.production(offline=True)


def _context(kind: Any) -> Any:
    from sigstore.models import ClientTrustConfig

    return kind.from_trust_config(ClientTrustConfig.production())


def _token() -> str:
    if not os.environ.get("GITHUB_ACTIONS"):
        raise UsageError(
            "--oidc signs by the identity of a GitHub workflow, and this is none: give --key FILE"
        )
    _sigstore()
    from sigstore.oidc import IdentityError, detect_credential

    try:
        token: str = detect_credential() or ""
    except IdentityError as error:
        raise UsageError(f"the workflow needs `permissions: {{id-token: write}}`: {_short(error)}") from None
    return token


def _sigstore() -> None:
    try:
        import sigstore  # noqa: F401 - an extra, and slow to load
    except ImportError:
        raise EnvironmentFailure(
            "identities of workflows need the package sigstore: pip install 'clusterprint[sigstore]'"
        ) from None
    # It warns of each verification that uses no network, which is all of ours.
    logging.getLogger("sigstore").setLevel(logging.ERROR)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
