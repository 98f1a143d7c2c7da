"""What loading makes of files, good and bad."""

import json
import os
import random
import re
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support import effort

from clusterprint.diagnostic import Span
from clusterprint.load import Loaded, load, load_text
from clusterprint.load.codes import TOPICS
from clusterprint.load.limits import MAX_BYTES, MAX_DEPTH

HERE = Path()
CASES = sorted((Path(__file__).parent.parent / "cases" / "load").glob("*.yaml"))

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


def text(source: str, name: str = "-") -> Loaded:
    return load_text(source.encode(), name, HERE)


def data(source: str) -> Any:
    loaded = text(textwrap.dedent(source))
    assert loaded.diagnostics == []
    assert loaded.document is not None
    return loaded.document.data


def only(loaded: Loaded) -> tuple[str, Span | None, str, str]:
    """Code, place, message and help of the one diagnostic."""
    (found,) = loaded.diagnostics
    return found.code, found.place.span, found.message, found.help


# Files that cannot be read.


def test_missing_file_is_a_diagnostic_with_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text("a: 1")
    loaded = load(tmp_path / "clutser.yaml", "clutser.yaml")
    assert only(loaded) == ("BP001", None, "the file does not exist", "did you mean 'cluster.yaml'?")
    assert loaded.diagnostics[0].place.file == "clutser.yaml"


def test_missing_folder(tmp_path: Path) -> None:
    assert only(load(tmp_path / "no" / "x.yaml"))[2] == "the file does not exist, and neither does its folder"


def test_file_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert only(load(tmp_path / "file" / "x.yaml"))[0] == "BP001"


def test_link_to_nowhere(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").symlink_to("nowhere.yaml")
    assert only(load(tmp_path / "x.yaml"))[2] == "this is a link to a file that does not exist"


def test_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").symlink_to("x.yaml")
    assert only(load(tmp_path / "x.yaml"))[2] == "the path is a link that leads back to itself"


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_impossible_names(name: str) -> None:
    assert only(load(Path(name), "x"))[0] == "BP001"


def test_name_that_is_not_utf8_can_be_printed(tmp_path: Path) -> None:
    loaded = load(Path(os.fsdecode(bytes(tmp_path) + b"/\xff.yaml")))
    assert loaded.diagnostics[0].place.file.endswith("\\xff.yaml")
    loaded.diagnostics[0].place.file.encode()


def test_directory(tmp_path: Path) -> None:
    assert only(load(tmp_path))[:3] == ("BP002", None, "this is a directory, not a file")


def test_pipe_without_a_writer_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert only(load(tmp_path / "pipe"))[2:] == (
        "this is a pipe, not a file",
        "give `-` and connect the pipe to standard input",
    )


def test_socket_and_device(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        # Opening a socket fails before its kind can be seen.
        assert only(load(tmp_path / "s"))[0] in ("BP002", "BP003")
    assert only(load(Path("/dev/zero")))[2] == "this is a device, not a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").touch(mode=0)
    assert only(load(tmp_path / "x.yaml"))[2] == "no permission to read the file"


def test_no_permission_as_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.yaml").touch()

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert only(load(tmp_path / "x.yaml"))[:3] == ("BP003", None, "no permission to read the file")


def test_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "x.yaml").open("wb") as file:
        file.truncate(10 * MAX_BYTES)
    assert only(load(tmp_path / "x.yaml"))[2] == "the file is 10.0 MiB large, a blueprint may have 1 MiB"
    assert effort(lambda: load(tmp_path / "x.yaml")) < 1000


def test_as_large_as_a_file_may_be(tmp_path: Path) -> None:
    start = b"clusterprint: v1\n#"
    content = start + b"x" * (MAX_BYTES - len(start))
    (tmp_path / "x.yaml").write_bytes(content)
    assert load(tmp_path / "x.yaml").diagnostics == []
    assert load_text(content, "-", HERE).diagnostics == []
    (tmp_path / "x.yaml").write_bytes(content + b"x")
    assert only(load(tmp_path / "x.yaml"))[0] == "BP004"


def test_large_standard_input() -> None:
    assert only(load_text(b" " * (MAX_BYTES + 1), "-", HERE))[0] == "BP004"


# Bytes.


@pytest.mark.parametrize("raw", [b"", b"\n \n", b"\xef\xbb\xbf", b"---\n", b"---\n...\n---\n"])
def test_empty(raw: bytes) -> None:
    assert only(load_text(raw, "-", HERE))[:3] == ("BP007", None, "the file is empty")


def test_only_comments() -> None:
    assert only(text("# one\n  # two\n"))[2] == "the file is empty, but for comments"


def test_byte_that_is_not_utf8() -> None:
    assert only(load_text("a: 1\nb: café".encode("latin-1"), "-", HERE)) == (
        "BP005",
        Span(2, 7, 2, 8),
        "byte 0xE9 is not valid UTF-8; in Windows-1252 it would be `é`",
        "save the file as UTF-8",
    )


def test_byte_that_is_not_utf8_after_a_byte_order_mark_and_wide_letters() -> None:
    raw = b"\xef\xbb\xbf" + "é: é".encode() + b"\xff"
    loaded = load_text(raw, "-", HERE)
    assert loaded.diagnostics[0].place.span == Span(1, 5, 1, 6)
    assert loaded.text == "é: é\ufffd"


def test_byte_order_mark_is_accepted() -> None:
    loaded = load_text(b"\xef\xbb\xbfa: 1", "-", HERE)
    assert loaded.document is not None
    assert loaded.document.data == {"a": 1}
    assert loaded.document.written["a",].key == Span(1, 1, 1, 2)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_utf16(encoding: str) -> None:
    code, _, message, _ = only(load_text("clusterprint: v1".encode(encoding), "-", HERE))
    assert (code, message) == (
        "BP005",
        f"the file is saved as {encoding.upper()[:6]}, a blueprint must be UTF-8",
    )


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\0", "NUL"),
        ("\x1b", "ESC"),
        ("\x07", "a control character"),
        ("\x85", "a control character"),
        ("\u2028", "line separator"),
        ("\ufeff", "byte order mark"),
        ("\u200b", "zero width space"),
        ("\u202e", "right-to-left override"),
        ("\u2066", "left-to-right isolate"),
        ("\u00ad", "soft hyphen"),
    ],
)
def test_invisible_characters(character: str, name: str) -> None:
    found = only(text(f"a: 1\nb: x{character}y # long enough not to be taken for UTF-16"))
    assert found[:3] == ("BP006", Span(2, 5, 2, 6), f"invisible character U+{ord(character):04X} ({name})")


def test_half_a_character_from_an_escape() -> None:
    loaded = text('a: "\\ud83d\\ude00"\nb: "\\ud83d"')
    assert only(loaded)[:2] == ("BP006", Span(2, 4, 2, 12))
    assert loaded.document is not None
    assert loaded.document.data == {"a": "😀", "b": None}
    assert loaded.document.broken == {("b",)}


def test_space_that_is_none() -> None:
    assert only(text("clusterprint:\u00a0v1\nkind: vm\n"))[:3] == (
        "BP014",
        Span(1, 14, 1, 15),
        "U+00A0 (no-break space) only looks like a space",
    )


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


# Hostile and unlucky input.


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


def test_every_prefix_of_a_blueprint_is_a_document_or_a_diagnostic() -> None:
    assert text(SAMPLE).diagnostics == []
    for end in range(len(SAMPLE)):
        check_sane(SAMPLE[:end].encode())


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


# The topics.


def test_topics_are_complete_and_unique() -> None:
    codes = [topic.code for topic in TOPICS]
    assert codes == [*(f"BP{number:03}" for number in range(1, len(TOPICS) - 1)), "BP240", "BP260"]
    assert len({topic.name for topic in TOPICS}) == len(TOPICS)
    for topic in TOPICS:
        assert len(topic.docs.split("\n\n")) == 3, topic.code


def test_every_topic_is_shown_by_a_test_or_a_case() -> None:
    tests = [Path(__file__), Path(__file__).parents[1] / "test_defaults.py", *CASES]
    written = "".join(path.read_text() for path in tests)
    assert [
        topic.code
        for topic in TOPICS
        if f'"{topic.code}"' not in written and f"[{topic.code}]" not in written
    ] == []


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys, clusterprint.load;"
        "print([m for m in ('msgspec', 'jsonschema', 'cdktf', 'difflib') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
