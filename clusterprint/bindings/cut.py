"""Cuts a jsii assembly down to some of its modules.

An assembly is a tarball with `package/.jsii` (what types there are), `package/lib/<folder>/*.js` (a folder
per module) and `package/lib/index.js`, which loads all of them. The cut one has the same version, only the
wanted types and folders, and an index that loads a folder when it is first used.
"""

import gzip
import io
import json
import re
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

_EXPORT = re.compile(r'^exports\.(\w+) = require\("\./([\w.-]+)"\);$', re.MULTILINE)
_SOURCE_MAP = re.compile(rb"^//# sourceMappingURL=data:.*$", re.MULTILINE)
_INDEX = """\
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const { statSync } = require("fs");
const { join } = require("path");
// A file that was unpacked only in part must be found now, while there is still a way back.
for (const [file, size] of Object.entries(%(sizes)s)) {
  if (statSync(join(__dirname, file)).size !== size) throw new Error(`${file} is damaged`);
}
for (const [name, folder] of Object.entries(%(folders)s)) {
  Object.defineProperty(exports, name, { enumerable: true, get: () => require(`./${folder}`) });
}
"""


class CutError(Exception):
    """The assembly is not built in the way that `cut` understands."""


class _Parts(NamedTuple):
    """What is read from the full tarball; `sources` maps `<folder>/<file>.js` to its text."""

    spec: bytes
    package: bytes
    listing: str
    sources: dict[str, bytes]


def cut(tarball: Path, modules: Iterable[str], name: str | None = None) -> bytes:
    """A tarball with only the given Python modules of an assembly; same input, same bytes.

    It is called `name`, or as it was.

    Raises CutError, or what reading a damaged tarball raises: OSError, EOFError, tarfile.TarError,
    zlib.error, ValueError.
    """
    wanted = set(modules)
    parts = _read(tarball, wanted)
    # Python calls a module what its folder is called: compute_network is lib/compute-network.
    folders = {name: folder for name, folder in _EXPORT.findall(parts.listing) if _module(folder) in wanted}
    missing = wanted - {_module(folder) for folder in folders.values()}
    if missing:
        message = f"no such modules: {', '.join(sorted(missing))}"
        raise CutError(message)
    files = {
        ".jsii": _cut_spec(parts.spec, set(folders)),
        "package.json": _cut_package(parts.package),
        **{f"lib/{path}": source for path, source in parts.sources.items()},
    }
    usual = json.loads(parts.package)["name"]
    if name is not None and name != usual:
        files = {path: _renamed(content, usual, name) for path, content in files.items()}
    files["lib/index.js"] = _index(folders, files)
    return _packed(files)


def _module(folder: str) -> str:
    return folder.replace("-", "_")


def _read(tarball: Path, wanted: set[str]) -> _Parts:
    found: dict[str, bytes] = {}
    # Read as a stream: seeking in a compressed file would unpack it again and again.
    with tarfile.open(tarball, "r|gz") as archive:
        for member in archive:
            path = member.name.removeprefix("package/")
            folder, _, file = path.removeprefix("lib/").partition("/")
            if path in {".jsii", "package.json", "lib/index.js"} or (
                path.endswith(".js") and file and _module(folder) in wanted
            ):
                content = archive.extractfile(member)
                found[path] = content.read() if content else b""
    try:
        spec, package, index = (found.pop(path) for path in (".jsii", "package.json", "lib/index.js"))
    except KeyError as absent:
        message = f"{absent} is missing"
        raise CutError(message) from None
    sources = {
        path.removeprefix("lib/"): _SOURCE_MAP.sub(b"", content) for path, content in sorted(found.items())
    }
    return _Parts(spec, package, index.decode(), sources)


def _cut_spec(spec: bytes, modules: set[str]) -> bytes:
    """The description of the assembly, with the types of the given modules only."""
    # `Raw` leaves what is not looked at undecoded: 100 MB in half a second.
    whole = msgspec.json.decode(spec, type=dict[str, msgspec.Raw])
    if "types" not in whole or "name" not in whole:
        message = ".jsii has no types"
        raise CutError(message)
    prefix = msgspec.json.decode(whole["name"], type=str) + "."
    types = msgspec.json.decode(whole["types"], type=dict[str, msgspec.Raw])
    kept = {
        name: raw for name, raw in types.items() if name.removeprefix(prefix).partition(".")[0] in modules
    }
    # Documentation and descriptions of modules: read by compilers, never at run time.
    rest = {key: raw for key, raw in whole.items() if key not in {"types", "readme", "submodules"}}
    return msgspec.json.encode({**rest, "types": kept})


def _cut_package(package: bytes) -> bytes:
    whole = json.loads(package)
    kept = {key: whole[key] for key in ("name", "version", "license", "dependencies", "jsii") if key in whole}
    return json.dumps({**kept, "main": "lib/index.js"}).encode()


def _renamed(content: bytes, old: str, new: str) -> bytes:
    """Names of types are `"<assembly>.<module>.<type>"`, the assembly's own is `"<assembly>"`."""
    for end in (".", '"'):
        content = content.replace(f'"{old}{end}'.encode(), f'"{new}{end}'.encode())
    return content


def _index(folders: dict[str, str], files: dict[str, bytes]) -> bytes:
    sizes = {path.removeprefix("lib/"): len(files[path]) for path in files if path.startswith("lib/")}
    return (_INDEX % {"sizes": json.dumps(sizes), "folders": json.dumps(folders)}).encode()


def _packed(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with (
        gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=6, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for path, content in sorted(files.items()):
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()
