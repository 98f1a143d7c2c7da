"""Relations between fields, declared on the type of the part.

A part lists them in `relations`. One engine (`rules/declared.py`) checks them all, with the same message,
place, guess and fix for each; the schema tells editors what names what. What only code can say stays a rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from msgspec import UnsetType

from clusterprint.words import listed

#: Keys of a part with the values that each may have; without a value, the key is left out.
Case: TypeAlias = tuple[tuple[str, tuple[str | bool, ...]], ...]


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


#: What a field of a setting may have.
Value: TypeAlias = str | int | UnsetType | tuple[()]


class Unique(NamedTuple):
    """No two items of the list `field` have the same `key`: some of their fields, or none if they are texts.

    Items without the first of these fields, and those not in the case `where`, are left out.

    `message` is a format of the second `item` and the `part` that has the list, `help` what to do about it.
    """

    code: str
    field: str
    message: str
    help: str = "give one of them another name"
    key: tuple[str, ...] = ("name",)
    where: Case = ()


class Setting(NamedTuple):
    """A field at a path has one of `values`; without values, it has content: it is set, true or not empty.

    A path starts at the part that declares the relation, or with a slash at the blueprint. A name after an @
    is a fact that rules derive from the part before it, such as `@tpu` (`rules/<folder>/_facts.py`).
    `written` is about the file instead: the user wrote the field, whatever its value. With `unless`, the
    field is given and has none of the values. A function replaces the value by what is `derived` from the
    part.
    """

    path: str
    values: tuple[Value, ...] = ()
    written: bool = False
    derived: str = ""
    unless: bool = False


def when(path: str, *values: Value) -> Setting:
    """A field has one of some values, or any content."""
    return Setting(path, values)


def unless(path: str, *values: Value) -> Setting:
    """A field is given, and has none of some values."""
    return Setting(path, values, unless=True)


def written(path: str) -> Setting:
    """The user wrote a field, which may have its default."""
    return Setting(path, written=True)


def unwritten(path: str) -> Setting:
    """The user did not write a field."""
    return Setting(path, written=True, unless=True)


def follows(function: str, path: str, *values: str | bool) -> Setting:
    """A function of `derived`, such as `scale_sets.is_uniform`, returns one of some values, or any content.

    `path` is the field that it depends on most, for messages; with a slash, the function is about the
    blueprint. `machine.` begins a fact of the catalog about the machine type, such as `machine.gpus`.
    """
    return Setting(path, values, derived=function)


class ExactlyOne(NamedTuple):
    """Exactly one of `fields` has content."""

    code: str
    fields: tuple[str, ...]


class Excludes(NamedTuple):
    """Where `field` and `other` hold together, and all of `given`, `field` is reported.

    `instead` is the only value that the field can have then; if it is empty, the field does nothing, and has
    to go. `words` is the name of the table with the
    message, where a code has several relations of this sort.
    """

    code: str
    field: Setting
    other: Setting
    given: tuple[Setting, ...] = ()
    instead: str | None = None
    words: str = "excludes"


class Needs(NamedTuple):
    """Where `field` holds, and all of `given`, `other` has to hold; the rest is like `Excludes`."""

    code: str
    field: Setting
    other: Setting
    given: tuple[Setting, ...] = ()
    instead: str | None = None
    words: str = "needs"


class Refuses(NamedTuple):
    """Where all of `given` hold, a value of `fields` must pass a `check` of `rules/_values.py`.

    `fields` are paths, separated by spaces, to texts, numbers, items of lists or keys of maps; those that the
    part does not have are skipped. `arguments` are those of the check, or settings for values of
    other fields. `words` is the name of the table with
    the message, which the check completes.
    """

    code: str
    fields: str
    check: str
    arguments: tuple[str | int | Setting, ...] = ()
    given: tuple[Setting, ...] = ()
    words: str = "refuses"


class Forbids(NamedTuple):
    """Where `field` holds, and all of `given`, it is reported; the rest is like `Excludes`."""

    code: str
    field: Setting
    given: tuple[Setting, ...] = ()
    instead: str | None = None
    words: str = "forbids"


def excludes_each(
    code: str,
    fields: str,
    other: Setting,
    *given: Setting,
    instead: str | None = None,
    words: str = "excludes",
) -> "Several":
    """Where `other` holds, none of some fields, separated by spaces, may be written."""
    return tuple(Excludes(code, written(each), other, given, instead, words) for each in fields.split())


class Within(NamedTuple):
    """The number at `field` is not below the one at `least` and not above the one at `most`: paths, or none.

    Where one of the numbers is not given, nothing is reported.
    """

    code: str
    field: str
    least: str = ""
    most: str = ""
    given: tuple[Setting, ...] = ()
    words: str = "within"


class InRegion(NamedTuple):
    """The zone, or each zone, in `field` is in the region of the blueprint."""

    code: str
    field: str
    words: str = "in_region"


class Since(NamedTuple):
    """Where `field` holds, and all of `given`, the version of the cluster, if written, has a feature.

    `feature` is its name in the catalog, or a fact about the part; `what` is the feature in words.
    """

    code: str
    field: Setting
    feature: str
    what: str = ""
    given: tuple[Setting, ...] = ()
    words: str = "since"


class Only(NamedTuple):
    """The optional `fields` belong to parts in one of some `cases`, such as those of a kind or those created.

    The schema has them for such parts only, so that editors offer them nowhere else. `what` is such a part in
    words, `plural` more of them.
    """

    code: str
    what: str
    fields: tuple[str, ...]
    cases: tuple[Case, ...]
    plural: str = ""

    @property
    def owners(self) -> str:
        """The parts that have the fields, in words: `filestore volumes or created netapp volumes`."""
        return " or ".join(_in_words(case, self.plural or f"{self.what}s") for case in self.cases)


def only(code: str, what: str, fields: str, *cases: Case, plural: str = "") -> Only:
    """The relation of fields, separated by spaces: `only("GCP101", "volume", "disk", case(kind="disk"))`."""
    return Only(code, what, tuple(fields.split()), cases, plural)


def case(**values: str | bool | tuple[str, ...]) -> Case:
    """A case of `Only`: `case(kind=("filestore", "netapp"), create=True)`, `case(existing=())`."""
    return tuple((key, each if isinstance(each, tuple) else (each,)) for key, each in values.items())


#: What parts are called by what they have as `create`, or by having no `existing`.
_CREATED: Mapping[object, str] = {None: "", (True,): "created", (False,): "existing", (): "created"}


def _in_words(case: Case, what: str) -> str:
    """The parts in a case: `created filestore volumes`, `disk classes with type: pd-ssd`."""
    rest = dict(case)
    created = _CREATED[rest.pop("create", rest.pop("existing", None))]
    kinds = listed([str(each) for each in rest.pop("kind", ())], "and")
    others = [in_yaml(key, values) if values else f"no {key}" for key, values in rest.items()]
    ends = f"with {listed(others, 'and')}" if others else ""
    return " ".join(filter(None, (created, kinds, what, ends)))


def in_yaml(key: str, values: Sequence[str | bool]) -> str:
    """A key with the values that it may have: `create: false`, `kind: filestore or netapp`."""
    return f"{key}: {listed([str(each).lower() if isinstance(each, bool) else each for each in values])}"


Relation: TypeAlias = (
    Names | Unique | ExactlyOne | Excludes | Needs | Refuses | Forbids | Within | InRegion | Since | Only
)
Several: TypeAlias = tuple[Relation, ...]


@cache
def relations_of(part: type) -> tuple[Relation, ...]:
    """The relations that a type of part declares, and those that it inherits."""
    return tuple(_declared(part))


def _declared(part: type) -> Iterator[Relation]:
    for each in part.__mro__:
        yield from vars(each).get("relations", ())
