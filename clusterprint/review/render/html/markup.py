"""HTML and SVG as text that is safe by construction: everything that is not `Markup` is escaped."""

import re
from collections.abc import Iterable
from html import escape

from clusterprint.render.visible import shown

_VOID = {"meta", "link", "br", "hr"}
#: What a text brings that is not its own to decide: layout of the line, except where it is kept as it is.
_KEPT = {"\n": "\n", "\t": "\t"}


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


#: What can stand in an element.
Content = Markup | str | None


def text(content: Content) -> Markup:
    """A text as it is to be read: markup in it is none, and what cannot be seen is written as an escape."""
    if content is None:
        return Markup()
    if isinstance(content, Markup):
        return content
    return Markup(escape("".join(_KEPT.get(each) or shown(each) for each in content), quote=False))


def join(parts: Iterable[Content], between: str = "") -> Markup:
    """Parts in a row."""
    return Markup(between.join(text(part) for part in parts))


def tag(name: str, /, *content: Content, **attributes: str | int | float | bool | None) -> Markup:  # noqa: PYI041 - said for readers
    """An element. `class_` is `class`, an underscore is a dash; None and False leave an attribute out."""
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{join(content)}</{name}>")


def _attribute(key: str, value: str | float | bool | None) -> str:  # noqa: FBT001 - as `tag` got it
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    written = f"{value:g}" if isinstance(value, float) else str(value)
    return f' {name}="{escape("".join(map(shown, written)))}"'


def slug(*words: str) -> str:
    """An id for an element, from words."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-") or "part"
