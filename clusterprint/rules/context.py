"""The context of a rule: the blueprint, its folder, and the way to point at places."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeGuard
from weakref import WeakKeyDictionary

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.part import Part
from clusterprint.diagnostic import Label
from clusterprint.document import Document, Place

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # knows defaults, which the one of Python 3.11 does not

    B_co = TypeVar("B_co", bound=Blueprint, default=Blueprint, covariant=True)
    B = TypeVar("B", bound=Blueprint)
else:
    from typing import TypeVar

    B_co = TypeVar("B_co", covariant=True)
    B = TypeVar("B")


T = TypeVar("T")
ContextT = TypeVar("ContextT", bound="Context[Any]")


class Context(Generic[B_co]):
    """The blueprint under a rule's eyes, and where its parts stand in the file.

    A rule that looks at the whole blueprint says of which type it is: `Context[KubernetesBlueprint]`.
    """

    def __init__(self, document: Document, blueprint: B_co, located: Sequence[tuple[Part, Place]]) -> None:
        """Take all parts with their places."""
        self._document = document
        self._located = located
        # By identity: two parts may well be equal.
        self._places = {id(part): place for part, place in located}
        self.blueprint = blueprint

    def __reduce__(self) -> tuple[type["Context[B_co]"], tuple[Any, ...]]:
        """Travel between processes: identities are not the same there."""
        return Context, (self._document, self.blueprint, self._located)

    @property
    def document(self) -> Document:
        """The file as it was read, for what is not a matter of parts: comments, how things are written."""
        return self._document

    @property
    def folder(self) -> Path:
        """The folder of the blueprint: what paths inside it are relative to."""
        return self._document.folder

    def place(self, part: Part, *keys: str | int) -> Place:
        """The place of a part, or of something below it: a field, then keys or positions in it."""
        if keys and keys[0] not in part.__struct_fields__:
            raise AttributeError(f"{type(part).__name__} has no field {keys[0]!r}")
        at = self._places[id(part)]
        if keys == (part.shorthand,) and self._document.has(at) and not self._document.has((*at, *keys)):
            return at  # written as that alone
        return (*at, *keys)

    def at(self, part: Part, *keys: str | int, text: str = "") -> Label:
        """Point at a value: `at(nodes, "count")`. Falls back to the nearest parent that was written."""
        return self._document.label(self.place(part, *keys), text)

    def at_key(self, part: Part, *keys: str | int, text: str = "") -> Label:
        """Point at a key instead of its value."""
        return self._document.key_label(self.place(part, *keys), text)

    def wrote(self, part: Part, *keys: str | int) -> bool:
        """Whether the user wrote this, rather than leaving it to a default."""
        return self._document.has(self.place(part, *keys))


def once(ask: "Callable[[ContextT], T]") -> "Callable[[ContextT], T]":
    """Work out once for a blueprint what its rules ask about it for each of many parts."""
    kept: WeakKeyDictionary[ContextT, T] = WeakKeyDictionary()

    @wraps(ask)
    def answer(context: ContextT) -> T:
        if context not in kept:
            kept[context] = ask(context)
        return kept[context]

    return answer


class Member(NamedTuple, Generic[B_co]):
    """One blueprint of a fleet, with the means to point into it."""

    blueprint: B_co
    context: Context[B_co]


class Fleet(NamedTuple):
    """All blueprints that are validated together; what rules about several blueprints look at."""

    members: tuple[Member, ...]

    def of(self, blueprint: type[B]) -> list[Member[B]]:
        """Those whose blueprint is of a type."""
        return [each for each in self.members if _is_of(each, blueprint)]


def _is_of(member: Member, blueprint: type[B]) -> TypeGuard[Member[B]]:
    return isinstance(member.blueprint, blueprint)
