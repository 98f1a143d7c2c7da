"""The content of texts, given in place or in a file, as far as rules look at it."""

from msgspec import UNSET

from clusterprint.blueprint.content import TextFile
from clusterprint.rules import _paths
from clusterprint.rules.context import Context

#: Longer texts than this cannot be carried in metadata (another rule says so), so this much is read.
MOST_BYTES = 256 * 1024


def content(text: TextFile, context: Context) -> bytes | None:
    """The first bytes of it; None if there is none, or one that another rule speaks about."""
    if (text.file is UNSET) == (text.inline is UNSET):
        return None
    if text.inline is not UNSET:
        return text.inline.encode("utf-8", "surrogatepass")
    named = _paths.named(text, context)
    if named is None or named.sort is not _paths.Sort.FILE:
        return None
    return _paths.head(named.path, MOST_BYTES)


def field(text: TextFile) -> str:
    """The key that the content stands under."""
    return "inline" if text.file is UNSET else "file"


def name(text: TextFile) -> str:
    """The name in a message."""
    return f"the {text.noun}" if text.file is UNSET else _paths.shown(text.file)


def is_text(text: bytes) -> bool:
    """Whether it can be carried as text."""
    if b"\0" in text:
        return False
    try:
        text.decode()
    except UnicodeDecodeError as error:
        # The end may have been cut in the middle of a character.
        return len(text) == MOST_BYTES and error.start > MOST_BYTES - 4
    return True
