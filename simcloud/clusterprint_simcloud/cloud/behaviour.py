"""How a cloud behaves, as data and small functions per resource type."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clusterprint_simcloud.arguments import Arguments
from clusterprint_simcloud.cloud.contents import ApiError, Cloud, Contents, Record
from clusterprint_simcloud.schema import TypeNotation
from clusterprint_simcloud.values import UNKNOWN, Path, Value

State = dict[str, Any]


@dataclass
class Request:
    """One create, update or delete as the cloud's API sees it."""

    contents: Contents
    kind: ResourceType
    state: State  # what is wanted; on delete what there was
    prior: State | None  # on update and delete what there was
    identity: str = ""
    serial: int = 0
    config: State = field(default_factory=dict)  # the provider's own configuration

    def text(self, name: str) -> str:
        """A top-level text value, empty if absent."""
        value = self.state.get(name)
        return value if isinstance(value, str) else ""

    def formatted(self, template: str) -> str:
        """The template with the top-level values of the resource, `{id}` and `{serial}`."""
        return template.format_map(_Values(self))

    @property
    def record(self) -> Record:
        """The records of the cloud; on create, the new one counts only once it is stored."""
        record = self.contents.get(self.kind.name, self.identity)
        if record is None:
            message = f"googleapi: Error 404: The resource '{self.identity}' was not found, notFound"
            raise ApiError(message)
        return record


class _Values(dict[str, str]):
    def __init__(self, request: Request) -> None:
        super().__init__(id=request.identity, serial=str(request.serial))
        self._state = request.state

    def __missing__(self, name: str) -> str:
        value = self._state.get(name)
        return "" if value is None or value is UNKNOWN else str(value)


@dataclass
class Plan:
    """One plan of a create or an update, for what providers decide in code (CustomizeDiff)."""

    cloud: Cloud
    config: State
    prior: State | None
    state: State  # the proposed state: to be changed in place
    provider_config: State
    replace: list[Path] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def changes(self, name: str) -> bool:
        """Whether a top-level value of an existing resource changes."""
        return self.prior is not None and self.prior.get(name) != self.state.get(name)


# A template for `str.format`, a constant, or a function of the request and the concrete path.
Computed = Value | Callable[[Request, Path], Value]
Step = Callable[[Request], None]
PlanStep = Callable[[Plan], None]


@dataclass(frozen=True)
class Reference:
    """An argument that names another resource."""

    path: str
    find: Callable[[Request, str], Record | None]
    # What the API says when it is not there, from the concrete path and the value.
    missing: Callable[[Request, Path, str], str]
    # Whether two spellings name the same thing, so that a plan shows no change.
    same: Callable[[str, str], bool] = str.__eq__
    # Whether the resource that is named cannot be deleted as long as this one is there.
    holds: bool = True


@dataclass(frozen=True)
class ResourceType:
    """One resource type."""

    name: str
    label: str  # as in the provider's messages: "Error creating Network: ..."
    identity: str | Callable[[Request], str]  # what tells it from all others of its type, as a template
    # Beyond what the table of the provider's version says; once the provider is `served`, with that.
    arguments: Arguments = field(default_factory=dict)
    computed: Mapping[str, Computed] = field(default_factory=dict)  # by dotted path
    references: Sequence[Reference] = ()
    service: str = ""  # the API that must be enabled
    planned: Sequence[PlanStep] = ()
    checks: Sequence[Step] = ()  # refuse a create or an update
    created: Sequence[Step] = ()  # consequences, once the record is there
    updated: Sequence[Step] = ()
    deleting: Sequence[Step] = ()  # refuse a delete, or clean up before it
    # Seconds before a create has its effect: so that what should wait for it, and does not, comes too early.
    delay: float | Callable[[State], float] = 0.0
    virtual: Sequence[
        str
    ] = ()  # arguments that only the state has: the provider never reads them from the cloud
    shared: bool = False  # creating it a second time is no conflict (IAM members, enabled services)
    # Whether a create takes over what is there, instead of refusing because of it.
    takes_over: Callable[[Request], bool] = lambda _: False

    def pause(self, state: State) -> float:
        """The seconds before the create of this very resource has its effect."""
        return self.delay(state) if callable(self.delay) else self.delay

    def identify(self, request: Request) -> str:
        """The key that tells the resource of the request from all others of its type."""
        return request.formatted(self.identity) if isinstance(self.identity, str) else self.identity(request)


@dataclass(frozen=True)
class DataSource:
    """One data source: from (contents, configuration) to the values it knows; it may raise ApiError."""

    name: str
    read: Callable[[Contents, State], State]


@dataclass(frozen=True)
class Words:
    """How a cloud says no to what every cloud refuses."""

    taken: Callable[[Request], str]  # what is to be created is there already
    missing: Callable[[Request, str], str]  # an argument names what is not there; the reference says which
    in_use: Callable[[Request, Record], str]  # what is to be deleted is held by the record


@dataclass(frozen=True)
class Provider:
    """One provider's cloud."""

    name: str
    resources: Mapping[str, ResourceType]
    data_sources: Mapping[str, DataSource]
    words: Words
    # Arguments that fall back on the provider's configuration.
    inherited: Sequence[str] = ()
    # By type, those of them that do so on apply only, so that a plan does not know them.
    inherited_late: Mapping[str, Collection[str]] = field(default_factory=dict)
    # Arguments that only the state has, of any type: what its code fills in where nobody gives them.
    given: Mapping[str, Value] = field(default_factory=dict)
    # Built on the newer plug-in framework, which plans as it is told; the SDK has ways of its own.
    framework: bool = False
    planned: Sequence[PlanStep] = ()  # for every resource
    admitted: Sequence[Step] = ()  # before every create, update and delete
    # Ends a create that the cloud has done, with the error of a fault: what is wrong with it, in which case
    # the provider keeps nothing of it in the state.
    settle: Callable[[Contents, Record, str], str] = lambda _contents, _record, _error: ""
    # Whether a delete is about the state alone, and the cloud not asked; it may raise ApiError.
    abandons: Callable[[Request], bool] = lambda _: False
    version: str = ""  # the one whose table it follows; empty as long as it follows none
    # The value of a computed attribute that the type does not describe: request, concrete path, type.
    value: Callable[[Request, Path, TypeNotation], Value] | None = None

    @property
    def wanted(self) -> list[str]:
        """The types to extract from the wheel."""
        return [*self.resources, *(f"data.{name}" for name in self.data_sources)]
