"""Files that `clusterprint vendor` keeps beside a blueprint: their first lines say what they were made of."""

import hashlib
import re
from typing import NamedTuple

_FETCHED = "# Fetched by `clusterprint vendor` from {}: not to be changed here.\n"
_RENDERED = "# Rendered by `clusterprint vendor` from {}: change what is there, and render again.\n"
# Some editors begin a file with a mark of its encoding; it is nowhere else.
_MARK = b"\xef\xbb\xbf"
_HEADER = re.compile(
    rb"(?P<mark>(?:\xef\xbb\xbf)?)# (?:Fetched|Rendered) by `clusterprint vendor` from [^\n]*\n"
    rb"(?:# inputs sha256:(?P<inputs>[0-9a-f]{64})\n)?# objects sha256:(?P<objects>[0-9a-f]{64})\n"
)


class Vendored(NamedTuple):
    """A file without its header: the checksum of its inputs, if it was rendered, and that of its objects."""

    inputs: str
    checksum: str
    objects: bytes

    @property
    def unchanged(self) -> bool:
        """Whether it is as it was written."""
        return sha256(self.objects) == self.checksum


def fetched(url: str, objects: bytes) -> bytes:
    """The content of a file that was fetched."""
    mark = _MARK if objects.startswith(_MARK) else b""
    header = f"{_FETCHED.format(url)}# objects sha256:{sha256(objects)}\n".encode()
    return mark + header + objects.removeprefix(mark)


def rendered(kustomization: str, inputs: str, objects: bytes) -> bytes:
    """The content of a file that was rendered, from inputs of this checksum."""
    header = _RENDERED.format(kustomization)
    return f"{header}# inputs sha256:{inputs}\n# objects sha256:{sha256(objects)}\n".encode() + objects


def read(content: bytes) -> Vendored | None:
    """The file, or None for one that `clusterprint vendor` did not write."""
    found = _HEADER.match(content)
    if found is None:
        return None
    inputs, checksum = ((found[name] or b"").decode() for name in ("inputs", "objects"))
    return Vendored(inputs, checksum, found["mark"] + content[found.end() :])


def is_ours(content: bytes) -> bool:
    """Whether `clusterprint vendor` wrote a file of this content, and nobody changed it since."""
    found = read(content)
    return found is not None and found.unchanged


def force(content: bytes) -> str:
    """The option of `clusterprint vendor` that replaces a file of this content; empty if none is needed."""
    return "" if is_ours(content) else " --force FILE"


def objects_of(content: bytes) -> bytes:
    """The content as it was fetched, for a file that is kept with a header or without."""
    found = read(content)
    return content if found is None else found.objects


def sha256(content: bytes) -> str:
    """The checksum of bytes, as blueprints write it."""
    return hashlib.sha256(content).hexdigest()
