"""Text output, character by character."""

import click
import pytest
from support import effort

from clusterprint.diagnostic import Diagnostic, Label, Severity, Span
from clusterprint.render.excerpt import ROOM
from clusterprint.render.text import render, summary

SOURCE = """\
clusterprint: v1
kind: vm
name: demo
nodes:
  count: 2
  capacity:
    model: spot
    reservation: mine
"""


def error(
    message: str, place: Label, *also: Label, help_: str = "", severity: Severity = Severity.ERROR
) -> Diagnostic:
    return Diagnostic("GCP012", severity, message, place, also, help_)


def at(line: int, column: int, end_column: int, text: str = "", file: str = "a.yaml") -> Label:
    return Label(file, Span(line, column, line, end_column), text)


def shown(diagnostic: Diagnostic, **sources: str) -> str:
    """The block of one diagnostic; sources are given as `a="..."` for a.yaml."""
    return render([diagnostic], {f"{name}.yaml": text for name, text in sources.items()})


def test_two_neighbouring_lines_and_help() -> None:
    found = error(
        "nodes are spot and also name a reservation",
        at(7, 12, 16),
        at(8, 18, 22, "reservation named here"),
        help_="remove one of the two",
    )
    assert shown(found, a=SOURCE) == (
        "error[GCP012]: nodes are spot and also name a reservation\n"
        "  --> a.yaml:7:12\n"
        "   |\n"
        " 7 |     model: spot\n"
        "   |            ^^^^\n"
        " 8 |     reservation: mine\n"
        "   |                  ---- reservation named here\n"
        "   = help: remove one of the two\n"
    )


def test_blocks_are_separated_by_a_blank_line() -> None:
    found = error("m", at(2, 7, 9), severity=Severity.WARNING)
    block = "warning[GCP012]: m\n  --> a.yaml:2:7\n   |\n 2 | kind: vm\n   |       ^^\n"
    assert render([found, found], {"a.yaml": SOURCE}) == f"{block}\n{block}"
    assert render([], {}) == ""


def test_far_lines_are_left_out_and_a_single_one_is_shown() -> None:
    found = error("m", at(8, 5, 16, "here"), at(1, 1, 13, "one"), at(6, 3, 11, "two"))
    assert shown(found, a=SOURCE) == (
        "error[GCP012]: m\n"
        "  --> a.yaml:8:5\n"
        "   |\n"
        " 1 | clusterprint: v1\n"
        "   | ------------ one\n"
        "...\n"
        " 6 |   capacity:\n"
        "   |   -------- two\n"
        " 7 |     model: spot\n"
        " 8 |     reservation: mine\n"
        "   |     ^^^^^^^^^^^ here\n"
    )


def test_several_marks_on_one_line() -> None:
    found = error("twice", at(1, 16, 17), at(1, 10, 11, "first written here"), at(1, 1, 7, "in this map"))
    assert shown(found, a="labels: {a: 1, a: 2}") == (
        "error[GCP012]: twice\n"
        "  --> a.yaml:1:16\n"
        "   |\n"
        " 1 | labels: {a: 1, a: 2}\n"
        "   |                ^\n"
        "   | ------ in this map\n"
        "   |          - first written here\n"
    )


def test_label_in_another_file() -> None:
    found = error("same name", at(3, 7, 11), at(3, 7, 11, "the other one", "b.yaml"), help_="rename one")
    assert shown(found, a=SOURCE, b=SOURCE) == (
        "error[GCP012]: same name\n"
        "  --> a.yaml:3:7\n"
        "   |\n"
        " 3 | name: demo\n"
        "   |       ^^^^\n"
        "  ::: b.yaml:3:7\n"
        "   |\n"
        " 3 | name: demo\n"
        "   |       ---- the other one\n"
        "   = help: rename one\n"
    )


def test_file_without_excerpt() -> None:
    found = error("the file does not exist", Label("no.yaml"), help_="did you mean 'on.yaml'?")
    assert shown(found) == (
        "error[GCP012]: the file does not exist\n"
        "  --> no.yaml\n"
        "   = help: did you mean 'on.yaml'?\n"
    )  # fmt: skip


def test_places_that_cannot_be_shown_are_told() -> None:
    found = error(
        "m", at(99, 1, 2), at(3, 1, 2, "seen"), Label("a.yaml", None, "whole"), at(9, 2, 3, "far", "c.yaml")
    )
    assert shown(found, a=SOURCE) == (
        "error[GCP012]: m\n"
        "  --> a.yaml:99:1\n"
        "   |\n"
        " 3 | name: demo\n"
        "   | - seen\n"
        "   = note: whole\n"
        "  ::: c.yaml:9:2\n"
        "   = note: far (c.yaml:9:2)\n"
    )


def test_gutter_is_as_wide_as_the_largest_number() -> None:
    assert shown(error("m", at(1000, 1, 2), at(1, 1, 2)), a="x\n" * 1000) == (
        "error[GCP012]: m\n    --> a.yaml:1000:1\n     |\n   1 | x\n     | -\n...\n1000 | x\n     | ^\n"
    )


def marked(line: str, column: int, end_column: int) -> list[str]:
    """The excerpt line and the row of marks, without the gutter."""
    rows = shown(error("m", at(1, column, end_column)), a=line).split("\n")
    return [rows[3][5:], rows[4][5:]]


def test_span_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    found = error("m", Label("a.yaml", Span(4, 1, 8, 22)))
    assert shown(found, a=SOURCE).split("\n")[3:5] == [" 4 | nodes:", "   | ^^^^^^"]


def test_empty_span_and_end_of_line() -> None:
    assert marked("empty:", 7, 7) == ["empty:", "      ^"]
    assert marked("", 1, 1) == ["", "^"]
    assert marked("ab", 9, 12) == ["ab", "  ^"]


def test_tabs_and_wide_letters_keep_the_marks_in_line() -> None:
    assert marked("\tx: y", 5, 6) == ["    x: y", "       ^"]
    assert marked("\t\tx", 1, 3) == ["        x", "^^^^^^^^"]
    assert marked("名前: x", 5, 6) == ["名前: x", "      ^"]
    assert marked("名前: x", 1, 3) == ["名前: x", "^^^^"]
    assert marked("e\u0301: x", 5, 6) == ["e\u0301: x", "   ^"]
    assert marked("😀: x", 4, 5) == ["😀: x", "    ^"]


@pytest.mark.parametrize(
    ("hidden", "escape"),
    [
        ("\x1b", "\\x1b"),
        ("\x7f", "\\x7f"),
        ("\x9b", "\\x9b"),
        ("\u202e", "\\u202e"),
        ("\u200b", "\\u200b"),
        ("\r", "\\r"),
    ],
)
def test_nothing_in_a_blueprint_acts_on_the_terminal(hidden: str, escape: str) -> None:
    found = error(f"<{hidden}>", at(1, 4, 5, f"({hidden})", f"{hidden}.yaml"), help_=f"[{hidden}\n::error::]")
    source = f"a{hidden if hidden != chr(13) else chr(27)}bcd"
    line_escape = escape if hidden != "\r" else "\\x1b"
    assert render([found], {f"{hidden}.yaml": source}) == (
        f"error[GCP012]: <{escape}>\n"
        f"  --> {escape}.yaml:1:4\n"
        "   |\n"
        f" 1 | a{line_escape}bcd\n"
        f"   | {' ' * (len(line_escape) + 2)}^ ({escape})\n"
        f"   = help: [{escape}\\n::error::]\n"
    )


def test_long_line_is_cut_around_the_mark() -> None:
    line = "a" * 300 + " MARK " + "b" * 300
    excerpt, marks = marked(line, 302, 306)
    assert excerpt == f"...{'a' * 24} MARK {'b' * 80}..."
    assert marks == f"{' ' * 28}^^^^"
    assert marked(line, 1, 2) == [f"{'a' * ROOM}...", "^"]
    excerpt, marks = marked(line, 606, 607)
    assert excerpt == f"...{'b' * ROOM}"
    assert marks == f"{' ' * 112}^"


def test_long_mark_ends_where_the_line_is_cut() -> None:
    excerpt, marks = marked("a: " + "x" * 500, 4, 504)
    assert excerpt == f"a: {'x' * (ROOM - 3)}..."
    assert marks == f"   {'^' * (ROOM - 3)}"


def test_marks_that_lie_far_apart_on_a_long_line() -> None:
    found = error("m", at(1, 1, 2), at(1, 400, 401, "there"))
    assert shown(found, a="x" * 400) == (
        "error[GCP012]: m\n"
        "  --> a.yaml:1:1\n"
        "   |\n"
        f" 1 | {'x' * ROOM}...\n"
        "   | ^\n"
        f" 1 | ...{'x' * ROOM}\n"
        f"   | {' ' * 112}- there\n"
    )


@pytest.mark.slow
def test_file_in_one_line_is_shown_in_parts() -> None:
    line = "".join(f"k{number}: 1, " for number in range(90_000))
    found = [error("m", at(1, column, column + 2)) for column in range(1, 900_000, 900)]
    report = render(found, {"a.yaml": line})
    assert effort(lambda: render(found[:200], {"a.yaml": line})) < 2.2 * effort(
        lambda: render(found[:100], {"a.yaml": line})
    )
    assert all(len(row) < ROOM + 20 for row in report.split("\n"))


def test_line_ends_of_other_systems() -> None:
    assert shown(error("m", at(2, 1, 2)), a="a\r\nb\rc").split("\n")[3] == " 2 | b"
    assert shown(error("m", at(3, 1, 2)), a="a\r\nb\rc").split("\n")[3] == " 3 | c"


def test_colour_only_when_asked_for() -> None:
    found = error("m", at(1, 1, 2), at(2, 1, 2, "there"), help_="h")
    plain = render([found], {"a.yaml": "a\nb"})
    coloured = render([found], {"a.yaml": "a\nb"}, color=True)
    assert "\x1b" not in plain
    assert click.unstyle(coloured) == plain
    assert "\x1b[31m\x1b[1merror[GCP012]\x1b[0m" in coloured


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ((1, 0, 0), "1 blueprint checked: no problems"),
        ((3, 2, 1), "3 blueprints checked: 2 errors, 1 warning"),
        ((2, 0, 5), "2 blueprints checked: 5 warnings"),
        ((1200, 1, 0), "1,200 blueprints checked: 1 error"),
        ((2, 0, 0, 1), "2 blueprints checked: no problems, 1 note"),
        ((2, 0, 1, 2), "2 blueprints checked: 1 warning, 2 notes"),
    ],
)
def test_summary(counts: tuple[int, ...], line: str) -> None:
    assert summary(*counts) == line
    assert click.unstyle(summary(*counts, color=True)) == line
