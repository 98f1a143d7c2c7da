"""Results of loading texts, good and bad."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from loading import CASES, only, text

from clusterprint.diagnostic import Span
from clusterprint.load.codes import TOPICS


def data(source: str) -> Any:
    loaded = text(textwrap.dedent(source))
    assert loaded.diagnostics == []
    assert loaded.document is not None
    return loaded.document.data


# What is not YAML.


def test_first_line_without_colon() -> None:
    assert only(text("clusterprint v1\nkind: vm\n"))[1:3] == (
        Span(1, 1, 1, 16),
        "'clusterprint v1' has no colon: every line here is `key: value`",
    )


@pytest.mark.parametrize("quote", ['"', "'"])
def test_quote_that_is_never_closed(quote: str) -> None:
    assert only(text(f"a: 1\nb: {quote}x\nc: 2\n")) == (
        "BP012",
        Span(2, 4, 2, 5),
        f"this `{quote}` is not closed before the end of the file",
        f"write a closing `{quote}`",
    )


def test_quote_that_is_closed_by_a_later_one() -> None:
    loaded = text('a: "x\nb: 1\nc: "y"\n')
    assert only(loaded)[:3] == (
        "BP012",
        Span(1, 4, 1, 5),
        'this `"` is closed only on line 3; one is missing between',
    )
    assert [(label.span, label.text) for label in loaded.diagnostics[0].also] == [
        (Span(3, 4, 3, 5), "closed here")
    ]


def test_escape_beyond_unicode() -> None:
    assert only(text('a: "\\UFFFFFFFF"'))[1:3] == (
        Span(1, 5, 1, 15),
        "`\\UFFFFFFFF` is not an escape sequence in double quotes",
    )


# Values.


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("", None), ("~", None), ("null", None), ("Null", None), ("nULL", "nULL"),
        ("true", True), ("False", False), ("TRUE", True), ("tRue", "tRue"),
        ("on", "on"), ("off", "off"), ("yes", "yes"), ("no", "no"), ("y", "y"),
        ("0", 0), ("12", 12), ("-3", -3), ("+4", 4), ("017", "017"), ("-01", "-01"), ("1_000", "1_000"),
        ("0o17", 15), ("0xfF", 255), ("-0x1", "-0x1"), ("0b11", "0b11"), ("0o8", "0o8"),
        ("1.5", 1.5), (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0), ("-1.5E-2", -0.015), ("00.5", "00.5"),
        (".", "."), ("12:30:00", "12:30:00"), ("2026-11-20", "2026-11-20"), ("2.48.0", "2.48.0"),
        ("2x2x2", "2x2x2"), ("10.0.0.0/16", "10.0.0.0/16"), ("1e", "1e"), ("+", "+"), ("=", "="),
        ('"12"', "12"), ("'true'", "true"), ('""', ""),
    ],
)  # fmt: skip
def test_scalars_follow_yaml_1_2(written: str, value: object) -> None:
    result = data(f"a: {written}\n")["a"]
    assert result == value
    assert type(result) is type(value)


def test_plain_is_the_text_as_written() -> None:
    loaded = text("a: 017\nb: 0o17\nc: '1'\nd: [x]\ne: 2.10\nf:\ng: |\n  x\nh: one\n  two\n")
    assert loaded.document is not None
    plain = {place[0]: written.plain for place, written in loaded.document.written.items() if len(place) == 1}
    assert plain == {
        "a": "017",
        "b": "0o17",
        "c": None,
        "d": None,
        "e": "2.10",
        "f": "",
        "g": None,
        "h": "one two",
    }


def test_merges_and_aliases() -> None:
    assert data("""\
        base: &base {disk: 100, type: ssd}
        more: &more
          <<: *base
          zone: a
        nodes:
          disk: 200
          <<: [{type: hdd}, *more]
        again: *more
        "<<": a quoted one is a key like any other
        """) == {
        "base": {"disk": 100, "type": "ssd"},
        "more": {"zone": "a", "disk": 100, "type": "ssd"},
        "nodes": {"disk": 200, "type": "hdd", "zone": "a"},
        "again": {"zone": "a", "disk": 100, "type": "ssd"},
        "<<": "a quoted one is a key like any other",
    }


def test_an_anchor_written_again_counts_from_there() -> None:
    assert data("a: &x 1\nb: *x\nc: &x 2\nd: *x\n") == {"a": 1, "b": 1, "c": 2, "d": 2}


def test_stand_ins_are_named_and_the_rest_goes_on() -> None:
    loaded = text("a: *none\nb: !!str 5\nc: .inf\nd: {1: x, e: f}\ng: [*none, 1]\nh: !x {i: 1}\n")
    assert [d.code for d in loaded.diagnostics] == ["BP017", "BP022", "BP024", "BP016", "BP017", "BP022"]
    assert loaded.document is not None
    assert loaded.document.data == {
        "a": None,
        "b": None,
        "c": None,
        "d": {"e": "f"},
        "g": [None, 1],
        "h": {"i": 1},
    }
    assert loaded.document.broken == {("a",), ("b",), ("c",), ("g", 0)}


def test_first_of_two_keys_counts_and_both_are_shown() -> None:
    loaded = text("a: 1\nb: 2\na: 3\n")
    (found,) = loaded.diagnostics
    assert found.place.span == Span(3, 1, 3, 2)
    assert [(label.span, label.text) for label in found.also] == [(Span(1, 1, 1, 2), "first written here")]
    assert loaded.document is not None
    assert loaded.document.data == {"a": 1, "b": 2}


# Places.


def spans(source: str) -> dict[tuple[str | int, ...], tuple[str, str]]:
    """Of every place, the text that its key and its value spans cover."""
    loaded = text(source)
    assert loaded.document is not None
    lines = re.split("\r\n|\r|\n", source)

    def cut(span: Span) -> str:
        if span.line == span.end_line:
            return lines[span.line - 1][span.column - 1 : span.end_column - 1]
        first, last = lines[span.line - 1][span.column - 1 :], lines[span.end_line - 1][: span.end_column - 1]
        return "\n".join([first, *lines[span.line : span.end_line - 1], last])

    return {
        place: (cut(written.key), cut(written.value)) for place, written in loaded.document.written.items()
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_spans_cover_exactly_what_is_written(end: str) -> None:
    source = """\
name: "d😀mo"  # comment
nodes:
  count: 1

  # comment
list:
- one
-   two: 2
    three: {x: [1, 2]}
script: |
  line one
  line two

empty:
last: one
  two
"""
    assert spans(source.replace("\n", end)) == {
        (): ("name", source.rstrip()),
        ("name",): ("name", '"d😀mo"'),
        ("nodes",): ("nodes", "count: 1"),
        ("nodes", "count"): ("count", "1"),
        ("list",): ("list", "- one\n-   two: 2\n    three: {x: [1, 2]}"),
        ("list", 0): ("one", "one"),
        ("list", 1): ("two: 2\n    three: {x: [1, 2]}", "two: 2\n    three: {x: [1, 2]}"),
        ("list", 1, "two"): ("two", "2"),
        ("list", 1, "three"): ("three", "{x: [1, 2]}"),
        ("list", 1, "three", "x"): ("x", "[1, 2]"),
        ("list", 1, "three", "x", 0): ("1", "1"),
        ("list", 1, "three", "x", 1): ("2", "2"),
        ("script",): ("script", "|\n  line one\n  line two"),
        ("empty",): ("empty", "empty"),
        ("last",): ("last", "one\n  two"),
    }


def test_a_name_for_a_text_in_typographic_quotes_is_known() -> None:
    """One mistake hides no other, and makes none: the alias means what was meant."""
    assert only(text("a: &here “x”\nb: *here\n"))[0] == "BP027"


def test_spans_leave_out_anchors_and_tags() -> None:
    found = spans(
        "a: &x 1\nb: &y\n  c: 2\nd: &z  # comment\n  - 3\ne: &v !!map {f: 4}\ng: &w\nh: &u |\n  text\n"
    )
    assert {place[0]: value for place, (_, value) in found.items() if len(place) == 1} == {
        "a": "1", "b": "c: 2", "d": "- 3", "e": "{f: 4}", "g": "g", "h": "|\n  text",
    }  # fmt: skip


def test_spans_of_aliases_and_merged_values() -> None:
    found = spans("base: &base\n  disk: 100\nnodes:\n  <<: *base\n  count: 1\nagain: *base\n")
    assert found["nodes", "disk"] == ("disk", "100")
    assert found["again",] == ("again", "*base")
    assert found["again", "disk"] == ("disk", "100")
    loaded = text("base: &base\n  disk: 100\nagain: *base\n")
    assert loaded.document is not None
    assert loaded.document.written["again", "disk"].value == Span(2, 9, 2, 12)


# Ignore comments.


def test_ignores() -> None:
    loaded = text("""\
# clusterprint: ignore[VM001] the whole line below

# another comment
name: a  # clusterprint: ignore[GCP017, GCP003] two codes  # and a comment
startup_script: |
  echo '# clusterprint: ignore[nothing]'
  # clusterprint: ignore nothing: this is text
metadata: {a: "# clusterprint: ignore nothing"}
""")
    assert loaded.diagnostics == []
    assert loaded.document is not None
    assert [(i.codes, i.reason, i.lines) for i in loaded.document.ignores] == [
        (("VM001",), "the whole line below", (4,)),
        (("GCP017", "GCP003"), "two codes", (4,)),
    ]
    assert loaded.document.ignores[0].span == Span(1, 1, 1, 51)


def test_ignore_beside_a_block_text_and_at_the_end() -> None:
    loaded = text(
        "a: |  # clusterprint: ignore[VM001] why\n  x\n# clusterprint: ignore[GCP017] nothing follows\n"
    )
    assert loaded.document is not None
    assert [(i.codes, i.lines) for i in loaded.document.ignores] == [(("VM001",), (1,)), (("GCP017",), ())]


# The topics.


def test_topics_are_complete_and_unique() -> None:
    codes = [topic.code for topic in TOPICS]
    assert codes == [*(f"BP{number:03}" for number in range(1, len(TOPICS) - 1)), "BP240", "BP260"]
    assert len({topic.name for topic in TOPICS}) == len(TOPICS)
    for topic in TOPICS:
        assert len(topic.docs.split("\n\n")) == 3, topic.code


def test_every_topic_is_shown_by_a_test_or_a_case() -> None:
    tests = [
        *Path(__file__).parent.glob("test_load*.py"),
        Path(__file__).parents[1] / "test_defaults.py",
        *CASES,
    ]
    written = "".join(path.read_text() for path in tests)
    assert [
        topic.code
        for topic in TOPICS
        if f'"{topic.code}"' not in written and f"[{topic.code}]" not in written
    ] == []


@pytest.mark.process
def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys, clusterprint.load;"
        "print([m for m in ('msgspec', 'jsonschema', 'cdktf', 'difflib') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
