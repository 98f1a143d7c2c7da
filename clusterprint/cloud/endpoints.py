"""Addresses of the clouds' APIs."""

from os import environ
from urllib.parse import urlsplit

from clusterprint.errors import UsageError

_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})

GOOGLE = "CLUSTERPRINT_GOOGLE_API"
AZURE = "CLUSTERPRINT_AZURE_API"


def google(service: str) -> str:
    """The root of a service of Google Cloud, such as `compute`.

    CLUSTERPRINT_GOOGLE_API names a stand-in, or a proxy: its paths begin with the name of the service.
    """
    root = _named(GOOGLE)
    return f"{root}/{service}" if root else f"https://{service}.googleapis.com"


def azure() -> str:
    """The root of Azure Resource Manager; CLUSTERPRINT_AZURE_API names another."""
    return _named(AZURE) or "https://management.azure.com"


def _named(variable: str) -> str:
    """The endpoint in a variable. It gets credentials, so it has to use https or be this machine."""
    root = environ.get(variable, "").rstrip("/")
    if root:
        parts = urlsplit(root)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOCAL):
            raise UsageError(f"{variable} has to be an https:// address: credentials are sent there")
    return root
