"""Files that cannot be read, and bytes that are no text."""

import os
import socket
from pathlib import Path

import pytest
from loading import HERE, only, text
from support import effort

from clusterprint.diagnostic import Span
from clusterprint.load import load, load_text
from clusterprint.load.limits import MAX_BYTES

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
