"""How requests leave: by connections of the Kubernetes client, and by a session of Google's library."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from clusterprint_provisioner.container import CloudError
from clusterprint_provisioner.kube import ApiError, message_of

CONTAINER_API = "https://container.googleapis.com/v1"
_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
#: Seconds to connect, to wait for an answer, and for the next line of a watch, which says little for minutes.
_CONNECT, _ANSWER, _NEXT_LINE = 5.0, 30.0, 330.0
_WRONG = 400


class ClusterTransport:
    """The API server of the pod's own cluster, or outside of one that of the current kubeconfig context.

    Certificates, proxies, and tokens that change while it runs are the library's.
    """

    def __init__(self) -> None:
        from kubernetes import config
        from kubernetes.client import ApiClient, Configuration

        self._configuration = Configuration()
        try:
            config.load_incluster_config(client_configuration=self._configuration)  # type: ignore[no-untyped-call]
        except config.ConfigException:
            config.load_kube_config(client_configuration=self._configuration)  # type: ignore[no-untyped-call]
        self._pool = ApiClient(self._configuration).rest_client.pool_manager

    def request(
        self, method: str, path: str, query: Mapping[str, str], body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """The status and the body of an answer. Raises ApiError where there is none."""
        answer = self._send(method, self._url(path, query), headers, _ANSWER, body)
        with _broken_connections():
            return answer.status, answer.read()

    def lines(self, path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> Iterator[bytes]:
        """The lines of an answer, as they come. Raises ApiError."""
        answer = self._send("GET", self._url(path, query), headers, _NEXT_LINE)
        try:
            with _broken_connections():
                if answer.status >= _WRONG:
                    raise ApiError(answer.status, message_of(answer.read()))
                rest = b""
                for chunk in answer.stream(65536):
                    *lines, rest = (rest + chunk).split(b"\n")
                    yield from (line for line in lines if line)
        finally:
            answer.close()

    def _url(self, path: str, query: Mapping[str, str]) -> str:
        return f"{self._configuration.host}{path}{'?' if query else ''}{urlencode(query)}"

    def _send(
        self, method: str, url: str, headers: Mapping[str, str], wait: float, body: bytes | None = None
    ) -> Any:
        from urllib3 import Timeout

        # Asked for each time: the token of a pod is replaced every hour.
        token = self._configuration.auth_settings().get("BearerToken", {}).get("value")
        with _broken_connections():
            return self._pool.request(
                method,
                url,
                body=body,
                headers={**headers, **({"Authorization": token} if token else {})},
                preload_content=False,
                timeout=Timeout(connect=_CONNECT, read=wait),
                retries=False,
                redirect=False,
            )


class _broken_connections:  # noqa: N801 - read as a word after `with`
    """Turns what connections fail with into ApiError."""

    def __enter__(self) -> None:
        return

    def __exit__(self, type_: object, error: BaseException | None, trace: object) -> None:
        from urllib3.exceptions import HTTPError

        if isinstance(error, HTTPError):
            raise ApiError(0, f"could not reach the API server: {type(error).__name__}") from error


def google(root: str = CONTAINER_API) -> Callable[[str, str, bytes | None], tuple[int, bytes]]:
    """The container API, as whoever the pod is at Google."""
    import google.auth
    from google.auth.exceptions import GoogleAuthError
    from google.auth.transport.requests import AuthorizedSession
    from requests.exceptions import RequestException

    try:
        credentials, _ = google.auth.default(scopes=[_SCOPE])
    except GoogleAuthError as error:
        raise CloudError(0, f"no Google credentials found: {error}") from error
    session = AuthorizedSession(credentials)  # type: ignore[no-untyped-call]

    def ask(method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        try:
            answer = session.request(  # type: ignore[no-untyped-call]
                method,
                f"{root}/{path}",
                data=body,
                headers={"Content-Type": "application/json"},
                timeout=(_CONNECT, _ANSWER),
            )
        except (RequestException, GoogleAuthError) as error:
            raise CloudError(0, f"could not reach the container API: {type(error).__name__}") from error
        return answer.status_code, answer.content

    return ask
