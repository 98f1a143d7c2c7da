"""Files that runs with an env file keep beside it: the blueprint, until a user edits it, and copies.

In the container, files lie where they were mounted, and a blueprint reads only what is beside it.
"""

import re
import shutil
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from clusterprint.errors import UsageError
from clusterprint.files import atomic, tree
from clusterprint.importing.envfile.read import Variable

_HEADER = "# Written by `clusterprint env-file --run`, which replaces it until somebody edits it.\n"
_SEAL = re.compile(re.escape(_HEADER) + r"# text sha256:([0-9a-f]{64})\n")
_PATHS = ("COPY_DIR_PATH", "STARTUP_SCRIPT_PATH")


class Copy(NamedTuple):
    """A file or folder of the container that is copied beside the blueprint."""

    source: Path
    name: str
    checksum: str

    @property
    def decision(self) -> str:
        """The blueprint's record of the copy."""
        return f"./{self.name} is a copy of {self.source}, sha256:{self.checksum}"


def sealed(text: str) -> str:
    """A text with the lines that show whether somebody has edited it."""
    return f"{_HEADER}# text sha256:{sha256(text.encode()).hexdigest()}\n{text}"


def is_untouched(text: str) -> bool:
    """Whether a text is as a run wrote it."""
    found = _SEAL.match(text)
    return found is not None and sha256(text[found.end() :].encode()).hexdigest() == found[1]


def beside(variables: Mapping[str, Variable], folder: Path) -> tuple[dict[str, Variable], list[Copy]]:
    """The variables with paths from `folder` in place of paths in the container that can be read."""
    found, copies = {**variables}, []
    for name in _PATHS:
        path = Path(found[name].value) if name in found else Path()
        if not path.is_absolute() or not path.name or not path.exists():
            continue
        if path.resolve().is_relative_to(folder.resolve()):
            value = path.resolve().relative_to(folder.resolve()).as_posix()
        else:
            value = path.name
            copies.append(Copy(path, value, _checksum(path)))
        found[name] = found[name]._replace(value=f"./{value}")
    return found, copies


def put(copy: Copy, folder: Path, blueprint: str) -> Path | None:
    """Make a copy, in place of an earlier one that `blueprint` records; what is new, if anything is.

    Raises UsageError where something else is there, OSError.
    """
    target = folder / copy.name
    there = target.exists() or target.is_symlink()
    if there:
        old = "" if target.is_symlink() else _checksum(target)
        if old == copy.checksum:
            return None
        if f"# Decided: ./{copy.name} is a copy of " not in blueprint or f", sha256:{old}\n" not in blueprint:
            message = (
                f"{target} is not the copy of {copy.source} that an earlier run made, or was changed since"
            )
            raise UsageError(f"{message}: remove it, or write ./{copy.name} in the env file to use it")
    with atomic.folder_beside(target) as made:
        _copy(copy.source, made / copy.name)
        if there and target.is_dir():
            shutil.rmtree(target)
        (made / copy.name).replace(target)
    return None if there else target


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        shutil.copy(source, target)
        return
    target.mkdir()
    for each in tree.below(source, source):
        if each.sort is not tree.Sort.FILE:
            raise UsageError(f"{each.path} {each.sort.value}: it cannot be copied from {source}")
        place = target / each.name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(each.path, place)


def _checksum(path: Path) -> str:
    """Of a file, or of all files of a folder with their names, and of whether they are programs."""
    whole = sha256()
    entries = [("", path)] if path.is_file() else [(each.name, each.path) for each in tree.below(path, path)]
    for name, file in entries:
        content = file.read_bytes() if file.is_file() else b""
        runs = bool(file.stat().st_mode & 0o100) if file.exists() else False
        whole.update(f"{name}\0{runs}\0{sha256(content).hexdigest()}\n".encode())
    return whole.hexdigest()
