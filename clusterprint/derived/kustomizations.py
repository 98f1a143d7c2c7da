"""Kustomizations beside a blueprint: what goes into one, and whether what was rendered is still of that.

Everything is read here and judged before anybody renders: nothing from elsewhere, no programs, no links.
"""

import hashlib
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint.derived.kubernetes_objects import NotReadable, read_values
from clusterprint.files import tree
from clusterprint.files.inside import NotRead, read

_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_MOST_FILES = 500
_MOST_BYTES = 4 << 20

# Whoever stands below these is another folder with a kustomization, or a file.
_OTHERS = ("resources", "bases", "components")
# What of others runs: charts are rendered by Helm, and plug-ins are programs.
_PROGRAMS = (
    *("helmCharts", "helmChartInflationGenerator", "helmGlobals"),
    *("generators", "transformers", "validators"),
)
_FILES = frozenset(
    (*_OTHERS, "path", "files", "envs", "env", "crds", "configurations", "patchesStrategicMerge", "openapi")
)
_ELSEWHERE = re.compile(r"(?:[^=\n]*=)?(?:[A-Za-z][-+.A-Za-z0-9]*:/|git@|git::|/)")

_HEADER = (
    "# Rendered by `clusterprint vendor` from {}: change what is there, and render again.\n"
    "# inputs sha256:{}\n# objects sha256:{}\n"
)
_WRITTEN = re.compile(
    rb"# Rendered by [^\n]*\n"
    rb"# inputs sha256:(?P<inputs>[0-9a-f]{64})\n# objects sha256:(?P<objects>[0-9a-f]{64})\n"
)


class NotTaken(ValueError):  # noqa: N818 - it is the kustomization that is not taken
    """A kustomization that is not rendered; the message completes "<folder> ..."."""


class Inputs(NamedTuple):
    """All files that a kustomization can be made of, by their path below the blueprint's folder."""

    files: dict[str, bytes]

    @property
    def checksum(self) -> str:
        """Another one for any other file, name or content."""
        parts = (f"{name}\0{_sha256(content)}\n" for name, content in sorted(self.files.items()))
        return _sha256("".join(parts).encode())


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
    for each in (each for key in _OTHERS for each in content.get(key) or ()):
        target = posixpath.normpath(posixpath.join(place, str(each)))
        sort = tree.sort_of(folder / target, folder)
        if sort is tree.Sort.FOLDER:
            yield target
        elif sort is not tree.Sort.FILE:
            raise NotTaken(f"leads to {name}, which names {each}, and that {sort.value}")


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
    for key in _PROGRAMS:
        if key in content:
            raise NotTaken(f"leads to {found[0]}, which has {key}: nothing that is rendered runs programs")
    for text in _paths(content):
        if _ELSEWHERE.match(text):
            raise NotTaken(f"leads to {found[0]}, which names {text}: nothing is loaded from elsewhere")
    return found[0], content


def _paths(value: Any, key: str = "") -> Iterator[str]:
    """All that is the path of a file, or would be fetched if it were an address."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _paths(each, str(name))
    elif isinstance(value, list):
        for each in value:
            yield from _paths(each, key)
    elif isinstance(value, str) and key in _FILES and "\n" not in value:
        yield value


def written(kustomization: str, inputs: Inputs, objects: bytes) -> bytes:
    """What is kept of a kustomization that was rendered: its objects, and what they were made of."""
    return _HEADER.format(kustomization, inputs.checksum, _sha256(objects)).encode() + objects


def difference(content: bytes, inputs: Inputs) -> str:
    """What is wrong with what was kept, as words that complete "<file> ..."; empty if nothing is."""
    found = _WRITTEN.match(content)
    if found is None:
        return "was not rendered by `clusterprint vendor`"
    if _sha256(content[found.end() :]) != found["objects"].decode():
        return "was changed since it was rendered"
    return "" if found["inputs"].decode() == inputs.checksum else "is older than the kustomization"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
