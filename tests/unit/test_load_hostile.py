"""Loading hostile and unlucky input: it ends soon, with a document or a diagnostic."""

import json
import random
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from loading import CASES, HERE, only, text
from support import effort

from clusterprint.load import load_text
from clusterprint.load.limits import MAX_DEPTH

SAMPLE = """\
# Who it is for: everybody.
clusterprint: v1
kind: vm
name: "demo"  # clusterprint: ignore[VM001] a reason
labels: &labels {team: ml, cost: 'it''s'}
nodes:
  machine_type: a2-highgpu-2g
  count: 1
  boot_disk: {type: pd-ssd, size_gb: 200}
  <<: *labels
network:
  ssh_source_ranges:
  - 35.235.240.0/20
  - "203.0.113.0/24"
startup_script: |
  #!/bin/bash
  echo "hello: world"  # not a comment
"""


@pytest.mark.parametrize(
    "source",
    ["[" * 100_000, "[\n" * 100_000, "{a: " * 100_000, "- " * 100_000, "? " * 100_000, "a: [{" * 50_000],
    ids=["brackets", "brackets on lines", "maps", "dashes", "question marks", "mixed"],
)  # fmt: skip
def test_bottomless_nesting_is_refused_at_once(source: str) -> None:
    assert only(text(source))[0] == "BP021"
    assert effort(lambda: text(source)) < 50_000


@pytest.mark.parametrize(("opened", "closed"), [("{a: ", "}"), ("[", "]"), ("- ", "")])
def test_as_deep_as_nesting_may_be(opened: str, closed: str) -> None:
    def nested(levels: int) -> str:
        return "a:\n  " + opened * (levels - 1) + "x" + closed * (levels - 1)

    assert text(nested(MAX_DEPTH)).diagnostics == []
    assert only(text(nested(MAX_DEPTH + 1)))[0] == "BP021"


def test_deep_block_nesting() -> None:
    assert only(text("".join(" " * depth + "a:\n" for depth in range(1000))))[0] == "BP021"


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        lambda size: "".join(f"a{n}: 1 # clusterprint: ignore[A1] x\n" for n in range(size)),
        lambda size: "# clusterprint: ignore[A1] x\n" * size + "a: 1\n",
        lambda size: "a: 1\n" + "\t\n" * size,
        lambda size: "a:" + "\t" * size + "b",
        lambda size: "a: " + "x " * size,
        lambda size: "a: " + "9" * size,
    ],
    ids=["ignores", "ignores above", "tab lines", "tabs", "words", "digits"],
)
def test_twice_the_input_is_at_most_twice_the_work(make: Callable[[int], str]) -> None:
    assert effort(partial(text, make(2000))) < 2.2 * effort(partial(text, make(1000)))


def test_merges_of_merges_are_refused_before_they_grow() -> None:
    links = (f"m{n}: &m{n} {{<<: *m{n - 1}, k{n}: *m{n - 1}}}\n" for n in range(1, 45))
    source = f"m0: &m0 {{a: {{b: 1}}}}\n{''.join(links)}"
    assert effort(lambda: text(source)) < 5_000_000


def check_sane(raw: bytes) -> None:
    """Loading gives a document that can be used, or exactly one diagnostic; places are inside the text."""
    loaded = load_text(raw, "-", HERE)
    assert loaded.document is not None or len(loaded.diagnostics) == 1
    lines = re.split("\r\n|\r|\n", loaded.text)
    for label in (label for found in loaded.diagnostics for label in (found.place, *found.also)):
        if label.span is not None:
            line, column, end_line, end_column = label.span
            assert (1, 1) <= (line, column) <= (end_line, end_column)
            assert end_line <= len(lines)
            assert column <= len(lines[line - 1]) + 1
    if loaded.document is not None:
        json.dumps(loaded.document.data, allow_nan=False).encode()
        assert set(loaded.document.written) == set(places(loaded.document.data))


def places(value: Any, place: tuple[str | int, ...] = ()) -> Any:
    yield place
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in below:
        yield from places(part, (*place, key))


@pytest.mark.slow
def test_every_prefix_of_a_blueprint_is_a_document_or_a_diagnostic() -> None:
    assert text(SAMPLE).diagnostics == []
    for end in range(len(SAMPLE)):
        check_sane(SAMPLE[:end].encode())


@pytest.mark.slow
def test_damaged_blueprints() -> None:
    chance = random.Random(20261120)  # noqa: S311 - the same damage every time
    signs = b"\n\n \t'\"[]{}:,-?&*!|>%@`#\\<0a~\r.xU\xc3\xa9\xff"
    sources = [SAMPLE.encode(), *(path.read_bytes() for path in CASES if path.stat().st_size < 500)]
    for _ in range(2000):
        raw = bytearray(chance.choice(sources))
        for _ in range(chance.randint(1, 5)):
            at = chance.randrange(len(raw) + 1)
            raw[at : at + chance.choice((0, 1, 1, 4))] = bytes([chance.choice(signs)])
        check_sane(bytes(raw))
