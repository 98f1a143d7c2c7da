"""Limits of names that Google sets, and a name with its limits."""

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

#: A pattern of names: what a name is made of is in the order of its `{}`.
OfOne: TypeAlias = Callable[[str], str]
OfTwo: TypeAlias = Callable[[str, str], str]
Numbered: TypeAlias = Callable[[str, int], str]


class Form(NamedTuple):
    """The form of names of one sort. The length counts bytes of UTF-8."""

    words: str
    pattern: re.Pattern[str]
    shortest: int
    longest: int

    def accepts(self, name: str) -> bool:
        """Whether a name has this form."""
        fits = self.shortest <= len(name.encode()) <= self.longest
        return fits and self.pattern.fullmatch(name) is not None


_HYPHENATED = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")

RESOURCE = Form("lower-case letters, digits and hyphens", _HYPHENATED, 1, 63)
ROLE = Form("letters, digits, underscores and dots", re.compile(r"[a-zA-Z0-9_.]*"), 3, 64)
GKE = Form("lower-case letters, digits and hyphens", _HYPHENATED, 1, 40)
SERVICE_ACCOUNT = Form("lower-case letters, digits and hyphens", _HYPHENATED, 6, 30)
# Up to here the provider appends a full time stamp and counter; it shortens them for longer prefixes.
TEMPLATE_PREFIX = Form("lower-case letters, digits and hyphens", re.compile(r"[a-z][-a-z0-9]*"), 1, 37)
LABEL_VALUE = Form("lower-case letters, digits, hyphens and underscores", re.compile(r"[-_a-z0-9]*"), 0, 63)
OBJECT = Form("any characters but line breaks", re.compile(r"[^\r\n]+"), 1, 1024)


class Derived(NamedTuple):
    """A name as the rules see it: what bears it, how the longest one is made, and its form."""

    what: str
    make: Callable[[str], str]
    form: Form
