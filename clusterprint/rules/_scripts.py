"""The content of scripts, as far as rules look at it."""

from msgspec import UNSET

from clusterprint.blueprint.content import Script
from clusterprint.rules import _paths
from clusterprint.rules.context import Context

#: Longer scripts than this cannot be carried in metadata (another rule says so), so this much is read.
MOST_BYTES = 256 * 1024


def content(script: Script, context: Context) -> bytes | None:
    """The first bytes of a script; None if there is none, or one that another rule speaks about."""
    if (script.file is UNSET) == (script.inline is UNSET):
        return None
    if script.inline is not UNSET:
        return script.inline.encode("utf-8", "surrogatepass")
    named = _paths.named(script, context)
    if named is None or named.sort is not _paths.Sort.FILE:
        return None
    return _paths.head(named.path, MOST_BYTES)


def field(script: Script) -> str:
    """The key that the content stands under."""
    return "inline" if script.file is UNSET else "file"


def name(script: Script) -> str:
    """What to call the script in a message."""
    return "the script" if script.file is UNSET else _paths.shown(script.file)


def is_text(script: bytes) -> bool:
    """Whether it can be carried as text."""
    if b"\0" in script:
        return False
    try:
        script.decode()
    except UnicodeDecodeError as error:
        # The end may have been cut in the middle of a character.
        return len(script) == MOST_BYTES and error.start > MOST_BYTES - 4
    return True
