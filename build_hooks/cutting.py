"""Cuts the packages of provider bindings down to the modules that stacks/ imports.

    python build_hooks/cutting.py    renews .cache/bindings, with which a checkout runs, unless it is fresh

Complete packages, of which little is used, would be nearly all that an installation downloads, unpacks and
compiles. They are needed to cut them, and then no more.

An assembly of jsii is a tarball with `package/.jsii` (what types there are), `package/lib/<folder>/*.js`
(a folder per module) and `package/lib/index.js`, which loads all of them. The cut one has the same version,
only the wanted types and folders, and an index that loads a folder when it is first used.
"""

import compileall
import gzip
import hashlib
import importlib.metadata
import io
import json
import re
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

_ROOT = Path(__file__).resolve().parent.parent
#: Where a checkout has its cut packages, and a checksum of what they were cut from.
_PLACE = Path(".cache", "bindings")
_KEY = "key"

_PROVIDER = "cdktf_cdktf_provider_"
#: cdktn, which goes on where cdktf ended: its bindings are cut for who installs it, by the names that stacks/
#: imports, below a folder of their own.
SUCCESSOR = "cdktn"
_SUCCESSOR_PROVIDER = "cdktn_provider_"
#: Where tests have the complete bindings of cdktn: they would take the place of cdktf in the environment.
SUCCESSOR_PLACE = Path(".cache", "clis", "cdktn-engine")
# What is found in a comment is harmless.
_DOTTED = re.compile(rf"\b({_PROVIDER}\w+)\.(\w+)")
_LISTED = re.compile(rf"^\s*from\s+({_PROVIDER}\w+)\s+import\s+(?:\(([^)]*)\)|(.*))", re.MULTILINE)
_NOTICE = """\
# {package}

Parts of {distribution} {version}, under the licence beside this file (MPL-2.0).
The complete package and its sources: {source}

What was changed: only these modules are here, without documentation and without checks of the types of
arguments, which Node makes too; their compiled JavaScript has no source maps.

{modules}
"""

_EXPORT = re.compile(
    r'^exports\.(\w+) = (?:__importStar\()?require\("\./([\w.-]+?)(?:/index)?"\)\)?;$', re.MULTILINE
)
_SOURCE_MAP = re.compile(rb"^//# sourceMappingURL=data:.*$", re.MULTILINE)
# What of a Python module no synth needs: half of it, which every start would read.
_LEFT_OUT = (
    re.compile(r"\Ar?'''.*?'''\n", re.DOTALL),
    re.compile(r"^import typeguard\n.*?(?=^(?:from \.|import cdktf))", re.DOTALL | re.MULTILINE),
    re.compile(r"^def _typecheckingstub__.*\n(?:[ )].*\n|\n)*", re.MULTILINE),
    re.compile(r"^( +)if __debug__:\n(?:\1 .*\n)+", re.MULTILINE),
    re.compile(r"^ +r?'''.*?'''\n", re.DOTALL | re.MULTILINE),
    re.compile(r"^_SUBMODULE_FQN_MAP = \{$.*?^\}\n", re.DOTALL | re.MULTILINE),
)
_EXPLAINED = frozenset({"docs", "locationInModule", "symbolId"})
_INDEX = """\
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const { statSync } = require("fs");
const { join } = require("path");
// A file that was unpacked only in part must be found now, while it can still be named.
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
    """The parts of the full tarball that are kept; `sources` maps `<folder>/<file>.js` to its text."""

    spec: bytes
    package: bytes
    listing: str
    sources: dict[str, bytes]


def renew(root: Path = _ROOT) -> bool:
    """Cut the packages for a checkout, unless those that are there are of the same modules and versions.

    Returns whether it did. Raises what `cut_packages` raises.
    """
    place = root / _PLACE
    key = _key(root)
    if (place / _KEY).is_file() and (place / _KEY).read_text("utf-8") == key:
        return False
    place.parent.mkdir(exist_ok=True)
    # Made aside: who is interrupted has the old packages or the new ones.
    with tempfile.TemporaryDirectory(dir=place.parent, prefix="bindings-") as aside:
        made = Path(aside, "made")
        cut_packages(root, made)
        if place.exists():
            place.rename(Path(aside, "old"))
        made.rename(place)
    if not compileall.compile_dir(place, quiet=1):  # as pip does with what a wheel carries
        message = f"the modules in {place} are not Python"
        raise CutError(message)
    (place / _KEY).write_text(key, "utf-8")
    return True


def cut_packages(root: Path, out: Path) -> None:
    """Write into `out` each package of bindings that root/stacks imports, with the imported modules only.

    Those of cdktn too, where its bindings are installed. Raises ModuleNotFoundError when one is not, and what
    `cut` raises.
    """
    with_successor = _distribution(f"{_SUCCESSOR_PROVIDER}google", root) is not None
    for package, named in modules_imported(root / "stacks").items():
        _cut_package(_installed(package, root), named, out / package)
        if with_successor:
            of_successor = package.replace(_PROVIDER, _SUCCESSOR_PROVIDER)
            _cut_package(_installed(of_successor, root), named, out / SUCCESSOR / package)


def modules_imported(folder: Path) -> dict[str, set[str]]:
    """The modules of providers that the sources below a folder import: `{package: {module, ...}}`."""
    found: dict[str, set[str]] = {}
    for source in sorted(folder.rglob("*.py")):
        text = source.read_text("utf-8")
        for package, module in _DOTTED.findall(text):
            found.setdefault(package, set()).add(module)
        for package, inside, plain in _LISTED.findall(text):
            names = re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"#.*", "", inside or plain))
            found.setdefault(package, set()).update(names)
    return found


def _key(root: Path) -> str:
    """Of all that the cut packages are made from."""
    packages = sorted(modules_imported(root / "stacks").items())
    facts = [
        (each, found.version if found else None, *sorted(modules))
        for package, modules in packages
        for each in (package, package.replace(_PROVIDER, _SUCCESSOR_PROVIDER))
        for found in (_distribution(each, root),)
    ]
    return hashlib.sha256(repr(facts).encode() + Path(__file__).read_bytes()).hexdigest()


def _installed(package: str, root: Path) -> importlib.metadata.Distribution:
    """A complete package. Not by an import, which may find the package that was cut of it."""
    distribution = _distribution(package, root)
    if distribution is None:
        extra = "bindings" if package.startswith(_PROVIDER) else "cdktn-bindings"
        message = f"{package} is needed here: pip install '.[{extra}]', or build with isolation"
        raise ModuleNotFoundError(message)
    return distribution


def _distribution(package: str, root: Path) -> importlib.metadata.Distribution | None:
    places = [*sys.path, str(root / SUCCESSOR_PLACE)]
    return next(iter(importlib.metadata.distributions(name=package, path=places)), None)


def _cut_package(distribution: importlib.metadata.Distribution, named: set[str], out: Path) -> None:
    package = distribution.metadata["Name"].replace("-", "_")
    whole = Path(str(distribution.locate_file(package)))
    # Words in comments look like modules too. A provider's own module may load that of its functions.
    modules = sorted(name for name in {*named, "provider_functions"} if (whole / name).is_dir())
    (out / "_jsii").mkdir(parents=True)
    # Importing the whole package at once has no meaning here: see clusterprint/bindings/importing.py.
    (out / "__init__.py").touch()
    for file in ("_jsii/__init__.py", *(f"{module}/__init__.py" for module in modules)):
        (out / file).parent.mkdir(exist_ok=True)
        text = lean((whole / file).read_text("utf-8"))
        (out / file).write_text(text.replace(package, out.name), "utf-8")
    (tarball,) = (whole / "_jsii").glob("*.jsii.tgz")
    (out / "_jsii" / tarball.name).write_bytes(cut(tarball, modules))
    _write_notice(distribution, modules, out)


def lean(source: str) -> str:
    """A module of Python without documentation and checks, and with annotations that nobody evaluates.

    Raises CutError for checks of another form.
    """
    for each in _LEFT_OUT:
        source = each.sub("", source)
    if "check_type(argname" in source or "_typecheckingstub__" in source:
        message = "a module checks its arguments in another way"
        raise CutError(message)
    return f"from __future__ import annotations\n{source}"


def _write_notice(distribution: importlib.metadata.Distribution, modules: list[str], out: Path) -> None:
    licence = distribution.read_text("LICENSE") or distribution.read_text("licenses/LICENSE")
    if not licence:
        message = f"{out.name} has no licence to bring along"
        raise FileNotFoundError(message)
    (out / "LICENSE").write_text(licence, "utf-8")
    notice = _NOTICE.format(
        package=out.name,
        distribution=distribution.metadata["Name"],
        version=distribution.version,
        source=distribution.metadata["Home-page"],
        modules="\n".join(f"- {module}" for module in modules),
    )
    (out / "NOTICE.md").write_text(notice, "utf-8")


def cut(tarball: Path, modules: Iterable[str]) -> bytes:
    """A tarball with only the given Python modules of an assembly; same input, same bytes.

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
        "package.json": _cut_manifest(parts.package),
        **{f"lib/{path}": source for path, source in parts.sources.items()},
    }
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
        name: _unexplained(msgspec.json.decode(raw))
        for name, raw in types.items()
        if name.removeprefix(prefix).partition(".")[0] in modules
    }
    # Documentation and descriptions of modules: read by compilers, never at run time.
    rest = {key: raw for key, raw in whole.items() if key not in {"types", "readme", "submodules"}}
    return msgspec.json.encode({**rest, "types": kept})


def _unexplained(described: Any) -> Any:
    """A part of a description without documentation and places in sources."""
    if isinstance(described, dict):
        return {key: _unexplained(each) for key, each in described.items() if key not in _EXPLAINED}
    return [*map(_unexplained, described)] if isinstance(described, list) else described


def _cut_manifest(package: bytes) -> bytes:
    whole = json.loads(package)
    kept = {key: whole[key] for key in ("name", "version", "license", "dependencies", "jsii") if key in whole}
    return json.dumps({**kept, "main": "lib/index.js"}).encode()


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


if __name__ == "__main__":
    renew()
