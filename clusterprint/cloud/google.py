"""Google Cloud's APIs, with application default credentials: those that Terraform takes."""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from os import environ
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from clusterprint.cloud import endpoints
from clusterprint.cloud.answers import TIMEOUT, NoLogin, Refused, Unanswered, answer
from clusterprint.errors import EnvironmentFailure

if TYPE_CHECKING:
    from google.auth.credentials import Credentials

_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_FILE = "GOOGLE_APPLICATION_CREDENTIALS"
_IMPERSONATE = "GOOGLE_IMPERSONATE_SERVICE_ACCOUNT"
#: How to log in for Terraform and for us.
LOGIN = "gcloud auth application-default login"
INSTALL = "pip install 'google-auth[requests]>=2.40'"


class Google:
    """The APIs, asked as one identity. The first question logs in; what has no connection is asked once."""

    def __init__(self) -> None:
        self._session: Any = None
        self._silent: dict[str, Unanswered] = {}
        self._nobody: Unanswered | None = None

    def get(self, service: str, path: str, **parameters: Any) -> Any:
        """The resource at a path of a service. Raises Unanswered and Refused."""
        return self._ask("GET", service, path, parameters)

    def post(self, service: str, path: str, body: Any, **parameters: Any) -> Any:
        """The answer to a call. Raises Unanswered and Refused."""
        return self._ask("POST", service, path, parameters, body)

    def patch(self, service: str, path: str, body: Any, **parameters: Any) -> Any:
        """The answer to a change. Raises Unanswered and Refused."""
        return self._ask("PATCH", service, path, parameters, body)

    def pages(self, service: str, path: str, items: str, **parameters: Any) -> Iterator[Any]:
        """All items of a list that comes in pages."""
        token = ""
        while True:
            found = self.get(service, path, **parameters, **({"pageToken": token} if token else {}))
            yield from found.get(items, [])
            token = found.get("nextPageToken", "")
            if not token:
                return

    def _ask(
        self, method: str, service: str, path: str, parameters: Mapping[str, Any], body: Any = None
    ) -> Any:
        if self._nobody or service in self._silent:
            raise self._nobody or self._silent[service]
        root = endpoints.google(service)
        session = self._session or self._log_in()

        def ask() -> Any:
            return session.request(
                method, f"{root}/{path}", params=dict(parameters), json=body, timeout=TIMEOUT
            )

        from google.auth.exceptions import GoogleAuthError, TransportError

        try:
            return answer(ask, f"{service}.googleapis.com")
        except TransportError as error:
            self._nobody = Unanswered("Google cannot be reached to log in: no connection")
            raise self._nobody from error
        except GoogleAuthError as error:
            self._nobody = NoLogin(f"the login does not work: {_words(error)}", LOGIN)
            raise self._nobody from error
        except Unanswered as error:
            self._silent[service] = error
            raise

    def _log_in(self) -> Any:
        try:
            from google.auth.transport.requests import AuthorizedSession
        except ImportError:
            raise EnvironmentFailure(f"Google Cloud is asked with google-auth: {INSTALL}") from None
        try:
            self._session = AuthorizedSession(self.credentials)  # type: ignore[no-untyped-call]
        except Unanswered as error:
            self._nobody = error
            raise
        return self._session

    @cached_property
    def credentials(self) -> "Credentials":
        """Whom Terraform would be: application default credentials, or whom those impersonate."""
        import google.auth
        from google.auth import impersonated_credentials
        from google.auth.exceptions import DefaultCredentialsError

        try:
            found, _ = google.auth.default(scopes=[_SCOPE])
        # The library takes a file with credentials for one: of what else may lie there it knows nothing.
        except (
            DefaultCredentialsError,
            AttributeError,
            LookupError,
            OSError,
            TypeError,
            ValueError,
        ) as error:
            if named := environ.get(_FILE):
                said = f"{_FILE} names {named}, which holds no login: {_words(error)}"
                raise NoLogin(said, f"unset {_FILE} && {LOGIN}") from error
            raise NoLogin(
                "nobody is logged in for Terraform (application default credentials)", LOGIN
            ) from error
        if target := environ.get(_IMPERSONATE):
            return impersonated_credentials.Credentials(found, target, [_SCOPE])  # type: ignore[no-untyped-call]
        return found

    @cached_property
    def identity(self) -> str:
        """Who that is, as IAM writes it: `user:somebody@example.com`; empty where nobody says.

        Raises Unanswered without a login that works.
        """
        try:
            said = self.get("openidconnect", "v1/userinfo")
        except Refused:
            said = {}  # the login works, and is of somebody without a profile
        email = self._account() or str(said.get("email", ""))
        kind = "serviceAccount" if email.endswith(".gserviceaccount.com") else "user"
        return f"{kind}:{email}" if email else ""

    def _account(self) -> str:
        """The service account of the login, if it is one and knows its name."""
        email = str(getattr(self.credentials, "service_account_email", "") or "")
        return "" if email == "default" else email


def path(*parts: str) -> str:
    """A path of names, each of which stays one part of it whatever is in it."""
    return "/".join(quote(part, safe="") for part in parts)


def _words(error: Exception) -> str:
    """The library's message, without the answer that it quotes in full."""
    said = error.args[0] if error.args else error
    return said if isinstance(said, str) else json.dumps(said, default=str)
