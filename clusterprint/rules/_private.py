"""Files that must not be uploaded: by their names, and by their content."""

import json
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import NamedTuple
from weakref import WeakKeyDictionary

from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.rules import _paths
from clusterprint.rules.context import Context

# Names and paths in lower case, with what such a folder or file is.
_NAMES = json.loads(Path(__file__).with_name("private_files.json").read_text("utf-8"))
_FOLDERS: dict[tuple[str, ...], str] = {
    tuple(each.split("/")): words for each, words in _NAMES["folders"].items()
}
_FILES: dict[str, str] = _NAMES["files"]
_WILD = frozenset("*?[")
_DEEPEST = max(map(len, _FOLDERS))
# What editors and people append to the name of a copy, and how an editor calls the file that it has open.
_COPY = re.compile(
    r"(?:~|[.\-_](?:bak|backup|old|orig|original|save|saved|copy|tmp|temp|sw[a-p]|rej|dpkg-\w+|rpmsave|rpmnew|[0-9]{1,14}))+"
)
_PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]")
# The same keys in DER (PKCS #8, encrypted or not, PKCS #1, SEC 1), PKCS #12, and stores of Java and KeePass.
_BINARY_KEY = re.compile(
    rb"\x30(?:[\x00-\x7f]|\x81.|\x82..)"
    rb"(?:\x02\x01(?:\x00(?:\x30.\x06|\x02)|\x01\x04|\x03\x30)|\x30.\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x05)"
    rb"|\xfe\xed\xfe\xed|\xce\xce\xce\xce|\x03\xd9\xa2\x9a",
    re.DOTALL,
)
_WEB_KEY = re.compile(rb'"(?:d|k)"\s*:\s*"[-\w]{20,}"')
# Certificates and public keys are files of the same endings, and no secret.
_PUBLIC = re.compile(rb"-----BEGIN (?:(?:TRUSTED )?CERTIFICATE|(?:RSA )?PUBLIC KEY)-----")
_SHARED_ENDINGS = (".pem", ".key")

# Keys are small; in a file that is larger, one may stand at the beginning.
_MOST_BYTES = 1 << 20


def what(path: Path, top: Path) -> str:
    """Why a file below the folder `top` must not be uploaded, or "".

    The content counts as much as the name, and a link is what it leads to as well.
    """
    content = _plain(_paths.head(path, _MOST_BYTES))
    if _PRIVATE_KEY.search(content) or _BINARY_KEY.match(content) or _is_web_key(content):
        return "a private key"
    names = [PurePath(os.path.relpath(path, top)), path.resolve().relative_to(top.resolve())]
    found = next(filter(None, map(_of_name, names)), "")
    is_public = _original(names[0].name.lower()).endswith(_SHARED_ENDINGS) and _PUBLIC.search(content)
    return "" if is_public and found == _FILES["*.pem"] else found


def _plain(content: bytes) -> bytes:
    """The content as it is in the packed file, and in one byte for each character."""
    if content.startswith(b"\x1f\x8b"):
        with suppress(zlib.error):
            content = zlib.decompressobj(wbits=31).decompress(content, _MOST_BYTES)
    is_wide = content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0-\0-\0-\0" in content
    return content.replace(b"\0", b"") if is_wide else content


def _is_web_key(content: bytes) -> bool:
    return b'"kty"' in content and _WEB_KEY.search(content) is not None


def _original(name: str) -> str:
    """The name of the file that one of this name is a copy of: `key.pem` for `key.pem~`."""
    for at in range(1, len(name)):
        if _COPY.fullmatch(name, at):
            return name[:at]
    return name.strip("#")


def _of_name(path: PurePath) -> str:
    parts = tuple(each.lower() for each in path.parts)
    folder = next(filter(None, (_folder(parts[:end]) for end in range(1, len(parts)))), "")
    original = _original(parts[-1])
    # An editor hides the file that it has open.
    names = dict.fromkeys((parts[-1], original, original.removeprefix(".")))
    paths = ["/".join((*parts[:-1], each)) for each in names]
    files = (words for name, words in _FILES.items() for each in paths if _is_called(each, name))
    # A worktree's or a submodule's `.git` is a file.
    return folder or next(files, "") or (_FOLDERS[".git",] if parts[-1] == ".git" else "")


def _is_called(path: str, pattern: str) -> bool:
    """Whether a path ends with names of a pattern; most patterns are plain, and none of those is compiled."""
    ending = pattern.removeprefix("*")
    if not _WILD.isdisjoint(ending):
        return fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}")
    return path.endswith(ending) if ending != pattern else path == pattern or path.endswith(f"/{pattern}")


def _folder(parts: tuple[str, ...]) -> str:
    """The sort of a private folder, by the last parts of its path; empty if it is not private."""
    return next((_FOLDERS[parts[-n:]] for n in range(1, _DEEPEST + 1) if parts[-n:] in _FOLDERS), "")


class Private(NamedTuple):
    """A file, or a folder that is private as a whole, by its path from the source; and what it is."""

    name: str
    what: str


def carried(part: LocalFiles | TextFile, context: Context) -> list[Private]:
    """The private files that a part would upload, each folder once. Cached, because two rules ask."""
    named = _paths.named(part, context)
    if named is None:
        return []
    kept = _looked_through.setdefault(context, {})
    if named.path not in kept:
        kept[named.path] = list(dict.fromkeys(_private(part, named, context)))
    return kept[named.path]


_looked_through: WeakKeyDictionary[Context, dict[Path, list[Private]]] = WeakKeyDictionary()


def _private(part: LocalFiles | TextFile, named: _paths.Named, context: Context) -> Iterator[Private]:
    if named.sort is _paths.Sort.FILE:
        found = what(named.path, context.folder)
        if found:
            yield Private(named.path.name, found)
    if named.sort is not _paths.Sort.FOLDER or isinstance(part, TextFile):
        return
    for entry in _paths.of_sort(named, context, _paths.Sort.FILE):
        folder = _folder_in(entry.name)
        found = _folder(_lowered(folder)) if folder else what(entry.path, context.folder)
        if found:
            yield Private(folder or entry.name, found)


def is_in(private: list[Private], name: str) -> bool:
    """Whether a file is among them; the same source is what both paths begin at."""
    return any(name == each.name or name.startswith(f"{each.name}/") for each in private)


def _folder_in(name: str) -> str:
    """The part of a path that ends with a private folder, or an empty text."""
    parts = name.split("/")
    begun = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return next((each for each in begun if _folder(_lowered(each))), "")


def _lowered(path: str) -> tuple[str, ...]:
    return tuple(path.lower().split("/"))
