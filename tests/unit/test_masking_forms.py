"""Each form of secret is found however it is written; what only looks like one is left alone."""

import html
import json
import re
from collections.abc import Callable
from urllib.parse import quote, unquote

from every import every
from secrets_corpus import Secret, others, secrets, seen

from clusterprint.masking import find, mask, mask_thoroughly

each_secret = every(secrets(), lambda secret: secret.name)


@each_secret
def test_each_form_is_found_and_masked(secret: Secret) -> None:
    assert secret.hidden, "the form has a part that is secret"
    text = f"before {secret.text} # after"
    found = find(text)
    assert found is not None
    assert found.what == secret.word
    shown = mask(text)
    assert seen(secret, shown) == []
    assert shown.startswith("before ")
    assert shown.endswith(" # after")
    assert [len(line) for line in shown.split("\n")] == [len(line) for line in text.split("\n")]


OTHER_TEXT = (
    '"{}"', "key: {}", "- {}", "export X={}", "('{}')", "`{}`", "<{}>", "# {}", "{}\n", "\u00e9 {}", "x,{};y",
)  # fmt: skip


@each_secret
def test_each_form_is_found_among_other_text(secret: Secret) -> None:
    for form in OTHER_TEXT:
        assert seen(secret, mask(form.format(secret.text))) == [], form
        assert seen(secret, mask_thoroughly(form.format(secret.text))) == [], form


def test_the_corpus_is_large() -> None:
    assert len({each.name for each in secrets()}) == len(secrets()) >= 60


@every(others(), lambda other: other[0])
def test_what_is_no_secret_is_left_alone(other: tuple[str, str]) -> None:
    _, text = other
    assert mask(text) == text
    assert mask(f"key: {text}\nother: {text}\n") == f"key: {text}\nother: {text}\n"


def escaped_first(text: str) -> str:
    """As in a quoted scalar, with the first character as its number."""
    return f"\\x{ord(text[0]):02x}{quoted(text[1:])}"


def quoted(text: str) -> str:
    return json.dumps(text)[1:-1]


# How the same secret may be written: each takes the text and gives what stands in a file.
WAYS: dict[str, Callable[[str], str]] = {
    "after an escaped line end": lambda text: f'"#!/bin/sh\\n{quoted(text)}\\n"',
    "begun by an escape": lambda text: f'"{escaped_first(text)}"',
    "escaped throughout": lambda text: '"' + "".join(f"\\u{ord(each):04x}" for each in text) + '"',
    "escaped twice": lambda text: f'"{quoted(json.dumps(chr(10) + text))}"',
    "in an address": lambda text: f"https://example.com/?q={quote(text, safe='')}&x=1",
    "as an argument of Python": lambda text: repr(["x", text]),
    "in HTML": lambda text: f"<td>{html.escape(text)}</td>",
    "with the line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "after a raw colour": lambda text: f"\x1b[1;31m{text}\x1b[0m",
    "in colours of 24 bits": lambda text: f"\x1b[38;2;1;2;3m{text}\x1b[m",
    "after a control character of 8 bits": lambda text: f"\x9b31m{text}\x9b0m",
    "after the title of a window": lambda text: f"x\x1b]0;y\x07{text}",
    "after a bell and a byte order mark": lambda text: f"\x07{text}\ufeff",
    "with a colour that was escaped": lambda text: json.dumps(f"\x1b[31m{text}\x1b[0m"),
    "with a colour in octal": lambda text: f"printf '\\033[31m%s\\33[0m' '{quoted(text)}\\0033[m'",
    "right after a colour in octal": lambda text: f"\\033[1;31m{quoted(text)}\\033[0m",
    "with a search coloured in": lambda text: f"\x1b[1;31m{text[:3]}\x1b[m\x1b[K{text[3:]}",
    "indented": lambda text: "    " + text.replace("\n", "\n    "),
}


@each_secret
def test_each_form_is_found_however_it_is_written(secret: Secret) -> None:
    for way, write in WAYS.items():
        written = write(secret.text)
        found = find(written)
        assert found is not None, way
        shown = mask(written)
        decoded = unquote(html.unescape(re.sub(r"\\+u00(..)", lambda each: chr(int(each[1], 16)), shown)))
        assert seen(secret, shown) == seen(secret, decoded) == [], way


@each_secret
def test_each_form_is_found_when_it_is_folded(secret: Secret) -> None:
    text = secret.text
    part = max(secret.hidden, key=len)
    middle = text.index(part) + len(part) // 2
    for fold in ("\\\n    ", "\n    ", "\\\n"):
        folded = f'x: "{text[:middle]}{fold}{text[middle:]}"\ny: 1\n'
        shown = mask(folded)
        assert seen(secret, shown) == [], fold
        assert shown.startswith('x: "')
        assert shown.endswith('"\ny: 1\n')
