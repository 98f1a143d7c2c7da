"""The options of Cloud Storage FUSE: what each may be, and what its profiles set."""

import re
from functools import cache
from typing import Literal

import msgspec

from clusterprint.catalog.fact import Fact, read_table

#: What the value of an option has to look like, and how that is said; switches may do without one.
_FORMS = {
    "switch": ("true|false", "true or false"),
    "whole": ("-1|0|[1-9][0-9]{0,9}", "a whole number"),
    "mode": ("0?[0-7]{3}", "three octal digits, such as 755"),
    "time": ("(?:[0-9]+(?:ms|s|m|h))+", "a time such as 30s"),
    "rate": ("-1|[0-9]+(?:[.][0-9]+)?", "a number, or -1 for no limit"),
    "name": ("[a-z0-9](?:[-a-z0-9.]{0,61}[a-z0-9])?", "lower-case letters, digits, hyphens and dots"),
    "folder": ("[-._A-Za-z0-9]+(?:/[-._A-Za-z0-9]+)*/?", "a folder of the bucket, without a slash in front"),
}


class FuseOption(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An option of gcsfuse.

    `least` is the smallest number, `words` are what it may be. In pods it is written as `config`, a path in
    the configuration of gcsfuse; empty, as on the command line. With `caches` it is about files that are
    kept, and `profiles` says what each profile makes of it.
    """

    type: Literal["switch", "whole", "mode", "time", "rate", "name", "folder", "word"]
    least: int = 0
    words: tuple[str, ...] = ()
    config: str = ""
    caches: bool = False
    profiles: dict[str, str] = {}

    def takes(self, value: str) -> bool:
        """Whether it may be this; a switch without a value is on."""
        if self.words:
            return value in self.words
        if self.type == "switch" and not value:
            return True
        if not re.fullmatch(_FORMS[self.type][0], value):
            return False
        return self.type != "whole" or int(value) >= self.least

    @property
    def wanted(self) -> str:
        """The allowed values, in words."""
        if self.words:
            return f"one of {', '.join(self.words)}"
        text = _FORMS[self.type][1]
        return f"{text} from {self.least} on" if self.type == "whole" else text


class _Options(Fact, frozen=True, kw_only=True):
    options: dict[str, FuseOption]
    refused: dict[str, str]


@cache
def _table() -> _Options:
    return read_table("google/gcsfuse", _Options)


def fuse_options() -> tuple[str, ...]:
    """The names of all options that can be set."""
    return tuple(_table().options)


def fuse_option(name: str) -> FuseOption | None:
    """Find an option by its name on the command line of gcsfuse, without the hyphens in front."""
    return _table().options.get(name)


def fuse_option_refused(name: str) -> str:
    """The help for an option that exists, but cannot be set; empty for others."""
    return _table().refused.get(name, "")
