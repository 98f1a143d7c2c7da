"""Answers of an API, and its two kinds of failures."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from requests import Response

#: Seconds to connect, and to wait for an answer.
TIMEOUT = (5, 30)

_NOT_NOW = 429
_BROKEN = 500
_WRONG = 400
_SHOWN = 300


class Unanswered(Exception):  # noqa: N818 - no error of ours: nobody could be asked
    """Nothing is known: no login, no connection, or an answer that makes no sense."""


class NoLogin(Unanswered):
    """Nobody is logged in, or no longer; `fix` is how one logs in."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


class Refused(Exception):  # noqa: N818 - an answer like any other
    """The API was asked, and said no: 403, 404 and the like."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    @property
    def is_missing(self) -> bool:
        """Whether what was asked about is not there."""
        return self.status == 404  # noqa: PLR2004 - everybody knows this number


def answer(ask: "Callable[[], Response]", host: str) -> Any:
    """The data that an API answers with. Raises Unanswered and Refused."""
    from requests.exceptions import RequestException

    try:
        response = ask()
    except RequestException as error:
        raise Unanswered(f"{host} cannot be reached: {_first(error)}") from error
    if response.status_code == _NOT_NOW or response.status_code >= _BROKEN:
        raise Unanswered(f"{host} does not answer now: {response.status_code} {response.reason}")
    try:
        data = response.json() if response.content else {}
    except ValueError:
        data = None
    if response.status_code >= _WRONG:
        raise Refused(response.status_code, _message(data) or f"{response.status_code} {response.reason}")
    if data is None:
        raise Unanswered(f"{host} does not answer in JSON")
    return data


def _message(data: Any) -> str:
    error = data.get("error") if isinstance(data, dict) else None
    said = error.get("message") if isinstance(error, dict) else None
    return str(said)[:_SHOWN] if said else ""


def _first(error: Exception) -> str:
    """The beginning of what a library says, without the objects that it repeats."""
    name = type(error).__name__
    return {"ConnectTimeout": "no answer in time", "ReadTimeout": "no answer in time"}.get(
        name, "no connection" if "Connection" in name else name
    )
