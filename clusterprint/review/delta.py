"""Resources, and what happens to them: what both sources end in, and everything else is worked out from."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from clusterprint.review.model import Action, Forcing

#: Dotted paths, without positions in lists, of values that are unknown or sensitive.
Marks = frozenset[str]

Values = dict[str, Any]


# No size has more digits, of GiB or of IOPS; plans are other people's text.
_LONGEST = 12


class Resource(NamedTuple):
    """A resource in one version (before or after).

    `address` is complete: `google_storage_bucket_object.files["a.txt"]`; `base` is without its key.
    `refers` maps dotted paths of arguments to the expressions in them, `meta` holds what Terraform keeps
    to itself (`lifecycle`).
    """

    stack: str
    type: str
    address: str
    base: str
    values: Values
    refers: Mapping[str, tuple[str, ...]] = {}
    meta: Mapping[str, Any] = {}


class Delta(NamedTuple):
    """One resource, before and after. `unchanged` ones are deltas too: capacity and diagrams count them.

    `unknown` and `sensitive` are marks on the values. `forced` says why it is replaced rather than changed.
    `certain` ones come from Terraform, the others from a comparison without it.
    """

    action: Action | None
    before: Resource | None
    after: Resource | None
    unknown: Marks = frozenset()
    sensitive: Marks = frozenset()
    forced: tuple[Forcing, ...] = ()
    create_first: bool = False
    reason: str = ""
    previous_address: str = ""
    certain: bool = False

    @property
    def resource(self) -> Resource:
        """The new side if it exists, else the old one."""
        found = self.after or self.before
        if found is None:
            raise ValueError("a delta without sides")
        return found

    @property
    def destroys(self) -> bool:
        """Whether the resource that is there now goes away."""
        return self.action in ("removed", "replaced")


def get(values: Any, path: str, default: Any = None) -> Any:
    """The value at a dotted path, whether a block is written as one map or as a list of them."""
    for part in path.split("."):
        if isinstance(values, list):
            values = values[0] if values else None
        if not isinstance(values, Mapping):
            return default
        values = values.get(part)
    return default if values is None else values


def blocks(values: Any, path: str) -> list[Values]:
    """All blocks at a dotted path."""
    *parents, last = path.split(".")
    found = get(values, ".".join(parents)) if parents else values
    found = found[0] if isinstance(found, list) and found else found
    found = found.get(last) if isinstance(found, Mapping) else None
    many = found if isinstance(found, list) else [found]
    return [each for each in many if isinstance(each, dict)]


def texts(value: Any) -> list[str]:
    """A list of texts; of a single one, or of what is none, as near as can be."""
    if isinstance(value, list | tuple):
        return [str(each) for each in value if each is not None]
    return [value] if isinstance(value, str) and value else []


def whole(value: Any) -> int:
    """A number, which providers also take as a text; 0 if it is none, or is known later."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else 0


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value that is no map or list, and empty ones, with its path."""
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    else:
        yield path, value
