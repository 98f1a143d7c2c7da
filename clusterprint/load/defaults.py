"""Values that the blueprints of a folder share: `clusterprint.defaults.yaml` beside or above them.

The data is merged under a blueprint before anything else: maps are joined, and of everything else the nearest
value counts, the blueprint first. `Written` keeps file and line of every value, so schema, rules, `show` and
reviews point to the right file without knowing about defaults. A review of a revision uses the defaults files
of that revision. Such a file is read like a blueprint: a regular file, inside the repository, small, and
plain data.
"""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from clusterprint.diagnostic import Diagnostic
from clusterprint.document import NOTES, Document, Place, Written
from clusterprint.load.codes import DEFAULTS_KEY
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import alike

#: The name of such a file, which is no blueprint.
DEFAULTS = "clusterprint.defaults.yaml"

_TERRAFORM = "terraform"

#: What it may say: where clusters are, and what they all have. What a cluster is, only its blueprint says.
KEYS = (
    *("project", "region", "zone", "subscription", "location", "resource_group"),
    *("backend", _TERRAFORM, "labels", "network", "updates"),
    *("kms_key", "grant_kms_key", "disk_encryption_set"),
)
_VERSION = "clusterprint"


class Laid(NamedTuple):
    """A blueprint with its defaults, and what is wrong with those."""

    document: Document
    diagnostics: list[Diagnostic]


class Named(NamedTuple):
    """A file of defaults, and what it is called in messages."""

    path: Path
    name: str


def files_above(file: Path, name: str, root: Path) -> list[Named]:
    """The defaults of a blueprint up to `root`, the nearest first; `name` is what it is called."""
    folder = Path(os.path.abspath(file)).parent  # noqa: PTH100 - links stay as they are named
    top = Path(os.path.abspath(root))  # noqa: PTH100
    shown = PurePosixPath("" if name == "-" else Path(name).parent.as_posix())
    found = []
    for depth, each in enumerate((folder, *folder.parents)):
        if each != folder and not each.is_relative_to(top):
            break
        path = each / DEFAULTS
        if os.path.lexists(path):
            up = os.path.normpath(shown.joinpath(*[".."] * depth, DEFAULTS))
            found.append(Named(path, Path(up).as_posix()))
    return found


def lay_under(document: Document, defaults: list[Document]) -> Laid:
    """Lay defaults under a blueprint, the nearest of them first."""
    problems = [problem for each in defaults for problem in _mistakes(each)]
    from clusterprint.blueprint import (  # loads msgspec; most blueprints have no defaults
        KINDS,
        blueprint_type,
    )

    kind = document.data.get("kind")
    known = blueprint_type(kind).__struct_fields__ if isinstance(kind, str) and kind in KINDS else KEYS
    data, written = dict(document.data), dict(document.written)
    broken = set(document.broken)
    for each in defaults:
        told = _without_other_kinds(each, kind) if isinstance(kind, str) and kind in KINDS else each
        for key in KEYS:
            if key in told.data and key in known:
                _lay(data, told, (key,), written, broken)
    laid = document._replace(
        data=data, written=written, broken=frozenset(broken), defaults=(*document.defaults, *defaults)
    )
    return Laid(laid, problems)


def _without_other_kinds(defaults: Document, kind: str) -> Document:
    """The same without settings of Terraform that only other kinds have."""
    told = defaults.data.get(_TERRAFORM)
    if not isinstance(told, dict):
        return defaults
    from msgspec import structs

    from clusterprint.blueprint import KINDS, blueprint_type

    settings = {
        each: {*type(field.default).__struct_fields__}
        for each in KINDS
        for field in structs.fields(blueprint_type(each))
        if field.name == _TERRAFORM
    }
    others = set().union(*settings.values()) - settings.get(kind, set())
    kept = {key: value for key, value in told.items() if key not in others}
    return defaults._replace(data={**defaults.data, _TERRAFORM: kept})


def without(document: Document) -> Document:
    """A blueprint whose defaults cannot be read: what they may say is not known."""
    unknown = frozenset((key,) for key in KEYS if key not in document.data)
    return document._replace(broken=document.broken | unknown)


def _lay(
    data: dict[str, Any],
    defaults: Document,
    place: tuple[str, ...],
    written: dict[Place, Written],
    broken: set[Place],
) -> None:
    """Lay the value of one place under what is there."""
    *_, key = place
    below: Any = defaults.data
    for step in place:
        below = below[step]
    if key not in data:
        data[key] = below
        for each, entry in defaults.written.items():
            if each[: len(place)] == place:
                written[each] = entry._replace(file=defaults.file)
        broken |= {each for each in defaults.broken if each[: len(place)] == place}
    elif isinstance(data[key], dict) and isinstance(below, dict) and place not in broken:
        data[key] = dict(data[key])
        for inner in below:
            _lay(data[key], defaults, (*place, inner), written, broken)


def _mistakes(defaults: Document) -> Iterator[Diagnostic]:
    """The keys of a file of defaults that are not allowed there."""
    for key in defaults.data:
        if key in KEYS or key.startswith(NOTES) or (key == _VERSION and defaults.data[key] == "v1"):
            continue
        near = did_you_mean(*(repr(each) for each in alike(key, (*KEYS, _VERSION)) if each != key))
        message = f"defaults cannot have {key!r}"
        if key == _VERSION:
            message, near = "the version of the language is not 'v1'", "write clusterprint: v1"
        yield Diagnostic(
            DEFAULTS_KEY.code,
            DEFAULTS_KEY.severity,
            message,
            defaults.key_label((key,)),
            help=near or f"they can have {listed(KEYS, 'and')}",
        )
