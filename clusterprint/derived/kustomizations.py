"""Kustomizations beside a blueprint: what goes into one, and whether what was rendered is still of that.

Everything is read here and judged before anybody renders: nothing from elsewhere, no programs, no links.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint.derived import vendored
from clusterprint.derived.kubernetes_objects import NotReadable, read_values
from clusterprint.files import tree
from clusterprint.files.inside import NotRead, read

_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_MOST_FILES = 500
_MOST_BYTES = 4 << 20

# All keys of a kustomization (kustomize: api/types/kustomization.go), folded as `_key` folds. What a later
# version of kustomize adds may load or run something, so it is refused until it is here.
_PLAIN_KEYS = frozenset(
    (
        *(
            "apiversion",
            "kind",
            "metadata",
            "nameprefix",
            "namesuffix",
            "namespace",
            "commonlabels",
            "labels",
        ),
        *("commonannotations", "patchesjson6902", "patches", "images", "imagetags", "replacements", "vars"),
        *("replicas", "sortoptions", "configmapgenerator", "secretgenerator", "generatoroptions", "openapi"),
        *("buildmetadata", "crds", "configurations", "patchesstrategicmerge"),
    )
)
# Whoever stands below these is another folder with a kustomization, or a file.
_OTHERS = frozenset(("resources", "bases", "components"))
# What of others runs: charts are rendered by Helm, and plug-ins are programs.
_PROGRAMS = frozenset(
    (
        *("helmcharts", "helmchartinflationgenerator", "helmglobals"),
        *("generators", "transformers", "validators"),
    )
)
_FILES = _OTHERS | {
    *("path", "files", "envs", "env", "crds", "configurations", "patchesstrategicmerge", "openapi")
}
_URL = re.compile(r"[A-Za-z][-+.A-Za-z0-9]*://|(?i:\bgit(?:@|::))")
# What kustomize takes for an address though it looks like a path.
_ELSEWHERE = re.compile(r"(?i)(?:[^=\n]*=)?(?:[-+.a-z0-9]+:|[-\w.]+@[-\w.]+:|git@|(?:www\.)?github\.com/|/)")


class NotTaken(ValueError):  # noqa: N818 - it is the kustomization that is not taken
    """A kustomization that is not rendered; the message completes "<folder> ..."."""


class Inputs(NamedTuple):
    """All files that a kustomization can be made of, by their path below the blueprint's folder."""

    files: dict[str, bytes]

    @property
    def checksum(self) -> str:
        """Another one for any other file, name or content."""
        parts = (f"{name}\0{vendored.sha256(content)}\n" for name, content in sorted(self.files.items()))
        return vendored.sha256("".join(parts).encode())


def inputs_of(kustomization: str, folder: Path, rendered: str) -> Inputs:
    """Read all folders that a kustomization leads to, without the file that it is rendered to.

    Raises NotTaken.
    """
    first, out = posixpath.normpath(kustomization), posixpath.normpath(rendered)
    files: dict[str, bytes] = {}
    waiting, seen = [first], {first}
    while waiting:
        place = waiting.pop()
        files.update(_files_below(place, folder, out, len(files)))
        if sum(map(len, files.values())) > _MOST_BYTES:
            raise NotTaken(f"leads to more than {_MOST_BYTES >> 20} MiB of files")
        found = [each for each in _bases(place, folder, files) if each not in seen]
        seen.update(found)
        waiting += found
    return Inputs(files)


def _files_below(place: str, folder: Path, rendered: str, count: int) -> Iterator[tuple[str, bytes]]:
    for entry in tree.below(folder / place, folder):
        name = posixpath.normpath(posixpath.join(place, entry.name))
        if name == rendered:
            continue
        count += 1
        if count > _MOST_FILES:
            raise NotTaken(f"leads to more than {_MOST_FILES} files")
        if entry.sort is not tree.Sort.FILE or entry.path.is_symlink():
            is_what = "is a link" if entry.path.is_symlink() else entry.sort.value
            raise NotTaken(f"leads to {name}, which {is_what}")
        try:
            yield name, read(entry.path, _MOST_BYTES)
        except (OSError, NotRead):
            raise NotTaken(f"leads to {name}, which cannot be read") from None


def _bases(place: str, folder: Path, files: dict[str, bytes]) -> Iterator[str]:
    """The other kustomizations that one is made of."""
    name, content = _kustomization(place, files)
    for each in (each for key, many in content.items() if _key(key) in _OTHERS for each in _listed(many)):
        target = posixpath.normpath(posixpath.join(place, str(each)))
        sort = tree.sort_of(folder / target, folder)
        if sort is tree.Sort.FOLDER:
            yield target
        elif sort is not tree.Sort.FILE:
            raise NotTaken(f"leads to {name}, which names {each}, and that {sort.value}")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _kustomization(place: str, files: dict[str, bytes]) -> tuple[str, dict[str, Any]]:
    """The file of a folder that says what it is made of, and what it says."""
    names = [posixpath.normpath(posixpath.join(place, each)) for each in _NAMES]
    found = [name for name in names if name in files]
    if len(found) != 1:
        raise NotTaken(f"leads to {place}, which has {'several' if found else 'no'} kustomization.yaml")
    try:
        content = read_values(files[found[0]].decode())
    except (NotReadable, UnicodeDecodeError) as error:
        raise NotTaken(f"leads to {found[0]}, which cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise NotTaken(f"leads to {found[0]}, which is not a kustomization")
    _insist_on_local(found[0], content)
    return found[0], content


def _insist_on_local(name: str, content: dict[str, Any]) -> None:
    for key in content:
        if _key(key) in _PROGRAMS:
            raise NotTaken(f"leads to {name}, which has {key}: nothing that is rendered runs programs")
        if _key(key) not in _PLAIN_KEYS | _OTHERS:
            raise NotTaken(f"leads to {name}, which has {key}: no such key of kustomizations is known")
    for key, text in _texts(content):
        is_path = key in _FILES and "\n" not in text
        if _URL.search(text) or (is_path and _ELSEWHERE.match(text)):
            shown = text if "\n" not in text else f"an address below {key}"
            raise NotTaken(f"leads to {name}, which names {shown}: nothing is loaded from elsewhere")


def _key(key: Any) -> str:
    """A key as kustomize compares it: Go's JSON ignores case, of the Kelvin sign and of the long s, too."""
    return str(key).casefold()


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text below a value, keys too, each with the nearest key that it is below."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield key, str(name)
            yield from _texts(each, _key(name))
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, key)
    elif isinstance(value, str):
        yield key, value


def written(kustomization: str, inputs: Inputs, objects: bytes) -> bytes:
    """A stored rendering of a kustomization: its objects and its inputs."""
    return vendored.rendered(kustomization, inputs.checksum, objects)


def difference(content: bytes, inputs: Inputs) -> str:
    """The fault of a stored rendering, as words that complete "<file> ..."; empty without one."""
    found = vendored.read(content)
    if found is None or not found.inputs:
        return "was not rendered by `clusterprint vendor`"
    if not found.unchanged:
        return "was changed since it was rendered"
    return "" if found.inputs == inputs.checksum else "is older than the kustomization"
