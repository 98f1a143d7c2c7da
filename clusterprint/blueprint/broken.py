"""The placeholder for a value with a mistake, so that one run finds everything.

The schema step reports mistakes and puts `BROKEN` in their places; rules still run on everything else.
Touching `BROKEN` raises `Unknowable`, and the runner drops that rule silently for that part: no mistake hides
another, and none is reported twice. Rules are called once per part (a bucket, a disk), so a mistake in one
part hides nothing in another.
"""

from typing import Any, Final, NoReturn, TypeVar

T = TypeVar("T")


class Unknowable(Exception):  # noqa: N818 - control flow, not an error
    """Raised when a rule reads a value that failed schema validation."""


class Broken:
    """A value that cannot be read: only `is` works on it."""

    __slots__ = ()

    def _touch(self, *_: object) -> NoReturn:
        raise Unknowable

    def __repr__(self) -> str:
        return "BROKEN"

    def __reduce__(self) -> str:
        return "BROKEN"

    def __getattr__(self, name: str) -> Any:
        self._touch()

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = _touch
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _touch
    __hash__ = _touch
    __str__ = __format__ = __int__ = __float__ = __index__ = _touch
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _touch
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __mod__ = __rmod__ = _touch


BROKEN: Final = Broken()


def readable(value: T) -> T:
    """The value, unchanged. Raises Unknowable for one with a mistake."""
    if value is BROKEN:
        raise Unknowable
    return value


def met_broken(error: Exception) -> bool:
    """Whether something failed only because it looked at a value that was reported already."""
    if isinstance(error, TypeError):
        # Functions written in C do not ask a value what it thinks of being looked at.
        return Broken.__name__ in str(error)
    return isinstance(error, Unknowable)
