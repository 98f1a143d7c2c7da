"""Relations between fields, declared on the type of the part.

A part lists them in `relations`. One engine (`rules/declared.py`) checks them all, with the same message,
place, guess and fix for each; the schema tells editors what names what. What only code can say stays a rule.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias


class Names(NamedTuple):
    """The value of `field`, or each value of a list, is the name of an item of one of `lists`.

    `lists` are paths from the blueprint, such as `storage.volumes`; where no part on such a path was written,
    nothing is reported, because another rule asks for that part. `what` is the thing in words, `plural` more
    of them. `always` are names that need no item. Without a `code` nothing is reported, and editors only
    propose the names.
    """

    code: str
    field: str
    lists: tuple[str, ...]
    what: str
    plural: str = ""
    always: tuple[str, ...] = ()

    @property
    def several(self) -> str:
        """The things in words."""
        return self.plural or f"{self.what}s"


class Unique(NamedTuple):
    """No two items of the list `field` have the same `key`: some of their fields, or none if they are texts.

    `message` is a format of the second `item` and the `part` that has the list, `help` what to do about it.
    """

    code: str
    field: str
    message: str
    help: str = "give one of them another name"
    key: tuple[str, ...] = ("name",)


Relation: TypeAlias = Names | Unique


@cache
def relations_of(part: type) -> tuple[Relation, ...]:
    """The relations that a type of part declares, and those that it inherits."""
    return tuple(_declared(part))


def _declared(part: type) -> Iterator[Relation]:
    for each in part.__mro__:
        yield from vars(each).get("relations", ())
