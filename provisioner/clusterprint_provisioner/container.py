"""The container API: node pools of one cluster. Four calls, asked as whoever the pod is at Google."""

import json
from typing import Any, Protocol, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from clusterprint_provisioner.pools import Operation, Pool
from clusterprint_provisioner.settings import Settings

_T = TypeVar("_T")
EXISTS, MISSING = 409, 404
_WRONG = 400


class CloudError(Exception):
    """The API said no, or nothing. A status of 0: nobody answered, and what was asked may have been done."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}" if status else message)
        self.status, self.message = status, message


class Transport(Protocol):
    """How requests reach the API. Raises CloudError where it is not reached."""

    def __call__(self, method: str, path: str, body: bytes | None, /) -> tuple[int, bytes]:
        """The status and the body of an answer."""


class _Pools(Struct, rename="camel"):
    node_pools: list[Pool] = []


class _Operations(Struct):
    operations: list[Operation] = []


class _Said(Struct, frozen=True):
    message: str = ""


class _Failed(Struct, frozen=True):
    error: _Said = _Said()


class Container:
    """The node pools of the cluster that the settings name."""

    def __init__(self, transport: Transport, settings: Settings) -> None:
        self._transport = transport
        location = f"projects/{quote(settings.project)}/locations/{quote(settings.location)}"
        self._operations = f"{location}/operations"
        self._pools = f"{location}/clusters/{quote(settings.cluster)}/nodePools"

    def pools(self) -> tuple[Pool, ...]:
        """All node pools, whosever they are."""
        return tuple(self._ask("GET", self._pools, None, _Pools).node_pools)

    def operations(self) -> tuple[Operation, ...]:
        """The running and recent operations of this location."""
        return tuple(self._ask("GET", self._operations, None, _Operations).operations)

    def create(self, pool: dict[str, Any]) -> str:
        """Ask for a pool; the name of the operation, or an empty text where there is such a pool."""
        try:
            return self._ask("POST", self._pools, {"nodePool": pool}, Operation).name
        except CloudError as error:
            if error.status == EXISTS:
                return ""
            raise

    def delete(self, name: str) -> str:
        """Ask that a pool goes; the name of the operation, or an empty text where there is no such pool."""
        try:
            return self._ask("DELETE", f"{self._pools}/{quote(name)}", None, Operation).name
        except CloudError as error:
            if error.status == MISSING:
                return ""
            raise

    def _ask(self, method: str, path: str, body: Any, type_: type[_T]) -> _T:
        content = None if body is None else json.dumps(body).encode()
        status, answer = self._transport(method, path, content)
        try:
            if status >= _WRONG:
                raise CloudError(status, msgspec.json.decode(answer, type=_Failed).error.message)
            return msgspec.json.decode(answer, type=type_)
        except msgspec.DecodeError as error:
            raise CloudError(status if status >= _WRONG else 0, f"unexpected response: {error}") from error
