"""Entries that are removed from a blueprint: only they go, and their comments stay."""

from pathlib import Path

import pytest

from clusterprint.document import Document, Place
from clusterprint.edits import removed
from clusterprint.load import Loaded, load_text, with_defaults


def document(text: str) -> Document:
    found = load_text(text.encode(), "x.yaml", Path()).document
    assert found is not None
    return found


def after(text: str, *place: str | int) -> str | None:
    found = removed(document(text), place)
    return found.whole if found else None


@pytest.mark.parametrize(
    ("text", "place", "left"),
    [
        ("network:\n  cidr: 10.0.0.0/8\n  nat: true\n", ("network", "nat"), "network:\n  cidr: 10.0.0.0/8\n"),
        ("network:\n  nat: true\n  mtu: 1\n", ("network", "nat"), "network:\n  mtu: 1\n"),
        ("nat: true\nmtu: 1\n", ("nat",), "mtu: 1\n"),
        ("a: 1\r\nb: 2\r\n", ("a",), "b: 2\r\n"),
        ("a: 1\nb: 2", ("b",), "a: 1\n"),
        ("x-a: &a {b: 1}\nd:\n  <<: *a\n  c: 1\n", ("d", "c"), "x-a: &a {b: 1}\nd:\n  <<: *a\n"),
        ("pools: {a: 1, b: 2}\n", ("pools", "a"), "pools: {b: 2}\n"),
        ("pools: {a: 1, b: 2}\n", ("pools", "b"), "pools: {a: 1}\n"),
    ],
)
def test_an_entry_goes_with_its_line(text: str, place: Place, left: str) -> None:
    assert after(text, *place) == left


@pytest.mark.parametrize(
    ("text", "place", "left"),
    [
        ("network:\n  nat: true\n", ("network", "nat"), "network: {}\n"),
        ("network: {nat: true}\n", ("network", "nat"), "network: {}\n"),
        ("pools:\n- nat: true\n- a: 1\n", ("pools", 0, "nat"), "pools:\n- {}\n- a: 1\n"),
        ("pools: [nat: true]\n", ("pools", 0, "nat"), "pools: [{}]\n"),
        ("pools:\n  - nat: true  # why", ("pools", 0, "nat"), "pools:\n  - {}  # why"),
        ("n:  # a\n  # b\n  nat: true  # c\nz: 1\n", ("n", "nat"), "n: {}  # a\n  # b\n  # c\nz: 1\n"),
    ],
)
def test_the_last_entry_of_a_map_leaves_an_empty_map(text: str, place: Place, left: str) -> None:
    assert after(text, *place) == left


@pytest.mark.parametrize(
    ("text", "key", "left"),
    [
        ("{\n  a: 1,\n  b: 2,\n  c: 3\n}\n", "a", "{\n  b: 2,\n  c: 3\n}\n"),
        ("{\n  a: 1,\n  b: 2,\n  c: 3\n}\n", "b", "{\n  a: 1,\n  c: 3\n}\n"),
        ("{\n  a: 1,\n  b: 2,\n  c: 3\n}\n", "c", "{\n  a: 1,\n  b: 2\n}\n"),
        ("{\r\n  a: 1,\r\n  b: 2\r\n}\r\n", "a", "{\r\n  b: 2\r\n}\r\n"),
        ("{\n  a: 1,  # why\n  b: 2,\n}\n", "b", "{\n  a: 1,  # why\n}\n"),
        ("{\n  a: [1,  # one\n    2],\n  b: 2\n}\n", "a", "{\n  # one\n  b: 2\n}\n"),
        ("{ a: 1,\n  b: 2 }\n", "a", "{\n  b: 2 }\n"),
        ("{a: 1, b: 2,\n c: 3}\n", "b", "{a: 1,\n c: 3}\n"),
    ],
)
def test_no_line_of_blanks_is_left_in_braces(text: str, key: str, left: str) -> None:
    assert after(text, key) == left


@pytest.mark.parametrize(
    ("text", "key", "left"),
    [
        ("pools:\n- a: 1\n  b: 2\n  c: 3\n", "a", "pools:\n- b: 2\n  c: 3\n"),
        ("pools:\n- a: 1  # one\n  # two\n  b: 2\n", "a", "pools:\n- # one\n  # two\n  b: 2\n"),
        ("pools:\n- a: 1\n  b: 2\n- a: 1\n", "b", "pools:\n- a: 1\n- a: 1\n"),
        ("pools:\n- {a: 1,\n   b: 2}\n", "b", "pools:\n- {a: 1}\n"),
    ],
)
def test_the_dash_of_an_item_stays(text: str, key: str, left: str) -> None:
    assert after(text, "pools", 0, key) == left


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("1  # why", "  # why\n"),
        ('"x # y"  # why', "  # why\n"),
        ("|\n    # of a script\n    echo # also", ""),
        ("# first\n    - 1  # second\n    - 'a # b'", "  # first\n  # second\n"),
    ],
)
def test_comments_stay_and_texts_with_a_hash_are_none(value: str, left: str) -> None:
    assert after(f"n:\n  a: {value}\n  b: 1\n", "n", "a") == f"n:\n{left}  b: 1\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        # An alias says the entry, too, or is said where the entry is.
        ("x-a: &a\n  b: 1\n  c: 2\nd: *a\n", ("x-a", "b")),
        ("x-a: &a\n  b: 1\n  c: 2\nd: *a\n", ("d", "b")),
        ("x-a: &a {b: 1}\nd:\n  <<: *a\n  c: 1\n", ("d", "b")),
        ("x-a: &a {b: 1}\nd:\n- c: 1\n  <<: *a\n", ("d", 0, "c")),
        ("a:\n  b: &k 3\n  c: *k\n", ("a", "b")),
        ("a: &a\n  b: 1\nc: 1\n", ("a", "b")),
        ("a: 1\n", ("b",)),
    ],
)
def test_nothing_is_removed_that_is_also_said_elsewhere(text: str, place: Place) -> None:
    assert after(text, *place) is None


def test_what_a_file_of_defaults_says_is_left(tmp_path: Path) -> None:
    (tmp_path / "clusterprint.defaults.yaml").write_text("clusterprint: v1\nnetwork: {nat: true}\n", "utf-8")
    alone = document("clusterprint: v1\nkind: gke\nnetwork:\n  mtu: 1460\n")
    laid = with_defaults(Loaded(alone, []), tmp_path / "x.yaml", "x.yaml", tmp_path)[0].document
    assert laid is not None
    assert laid.data["network"] == {"nat": True, "mtu": 1460}
    assert removed(laid, ("network", "nat")) is None
    mtu = removed(laid, ("network", "mtu"))
    assert mtu is not None
    assert mtu.whole == "clusterprint: v1\nkind: gke\nnetwork: {}\n"
