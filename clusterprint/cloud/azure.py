"""Azure Resource Manager, as whom Terraform would be: an application of the environment, or `az login`."""

import base64
import json
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clusterprint.cloud import endpoints
from clusterprint.cloud.answers import TIMEOUT, NoLogin, Unanswered, answer
from clusterprint.errors import EnvironmentFailure

if TYPE_CHECKING:
    from azure.core.credentials import TokenCredential

_SCOPE = "https://management.azure.com/.default"
INSTALL = "pip install 'azure-identity>=1.20'"


class Azure:
    """The API, asked as one identity. The first question logs in; without a connection it is asked once."""

    def __init__(self) -> None:
        self._token = ""
        self._silent: Unanswered | None = None

    def get(self, path: str, version: str, **parameters: str) -> Any:
        """The resource at a path, in a version of the API. Raises Unanswered and Refused."""
        if self._silent:
            raise self._silent
        root = endpoints.azure()
        header = {"Authorization": f"Bearer {self.token()}"}
        import requests

        def ask() -> requests.Response:
            return requests.get(
                f"{root}/{path}",
                params={"api-version": version, **parameters},
                headers=header,
                timeout=TIMEOUT,
            )

        try:
            return answer(ask, "management.azure.com")
        except Unanswered as error:
            self._silent = error
            raise

    def token(self) -> str:
        """The token of the login. Raises Unanswered where there is none."""
        if not self._token:
            try:
                from azure.core.exceptions import ClientAuthenticationError
                from azure.identity import CredentialUnavailableError
            except ImportError:
                raise EnvironmentFailure(f"Azure is asked with azure-identity: {INSTALL}") from None
            try:
                self._token = _credential().get_token(_SCOPE).token
            except (ClientAuthenticationError, CredentialUnavailableError, ValueError) as error:
                said = str(error).partition("\n")[0]
                raise NoLogin(f"nobody is logged in to Azure: {said}", "az login") from error
        return self._token

    @property
    def identity(self) -> str:
        """Who that is: a name of a user, or the id of an application; empty where the token does not say."""
        claims = _claims(self.token())
        return str(claims.get("upn") or claims.get("unique_name") or claims.get("appid") or "")


def _credential() -> "TokenCredential":
    """Credentials in the order in which the provider azurerm tries them."""
    from azure.identity import (
        AzureCliCredential,
        ClientAssertionCredential,
        ClientSecretCredential,
        ManagedIdentityCredential,
    )

    tenant, client = environ.get("ARM_TENANT_ID", ""), environ.get("ARM_CLIENT_ID", "")
    if tenant and client and (secret := environ.get("ARM_CLIENT_SECRET")):
        return ClientSecretCredential(tenant, client, secret)
    if tenant and client and environ.get("ARM_USE_OIDC", "").lower() == "true":
        return ClientAssertionCredential(tenant, client, _assertion)
    if environ.get("ARM_USE_MSI", "").lower() == "true":
        return ManagedIdentityCredential(client_id=client or None)
    return AzureCliCredential(tenant_id=tenant)


def _assertion() -> str:
    file = environ.get("ARM_OIDC_TOKEN_FILE_PATH")
    return Path(file).read_text("utf-8") if file else environ.get("ARM_OIDC_TOKEN", "")


def _claims(token: str) -> dict[str, Any]:
    """The claims of a token about its owner; empty if the token cannot be read."""
    try:
        body = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    except (IndexError, ValueError):
        return {}
    return claims if isinstance(claims, dict) else {}
