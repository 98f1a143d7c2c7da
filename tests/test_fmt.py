"""`clusterprint fmt`: one layout, and nothing but space is changed."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from support import BLUEPRINTS, ROOT, Run

from clusterprint.fmt import layout
from clusterprint.fmt.pieces import Edit, applied
from clusterprint.load import Loaded, load, load_text

HEADING = "clusterprint: v1\nkind: vm\n"


def laid_out(text: str) -> str:
    return layout(load_text(text.encode(), "x.yaml", Path()))


def readable() -> list[Loaded]:
    files = [*BLUEPRINTS.rglob("*.yaml"), *(ROOT / "tests").rglob("*.yaml")]
    loaded = [load(file) for file in sorted(files)]
    return [each for each in loaded if each.document and not each.diagnostics]


@pytest.mark.long
@pytest.mark.slow
def test_every_blueprint_keeps_its_words_and_is_laid_out_once() -> None:
    found = readable()
    assert len(found) > 1000
    for each in found:
        made = layout(each)  # raises where the meaning would change
        assert "".join(made.split()) == "".join(each.text.split())
        assert made == each.text or laid_out(made) == made


def test_our_own_blueprints_are_in_the_layout(clusterprint: Run) -> None:
    done = clusterprint("fmt", "--check", "blueprints")
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_a_layout_that_was_spoilt_comes_back() -> None:
    for file in sorted(BLUEPRINTS.glob("*.yaml")):
        good = load(file)
        lines = good.text.replace(": {", ":   { ").split("\n")
        if any(line.rstrip("-+").endswith(("|", ">")) for line in lines):
            continue  # spaces at the end of a line of a script are part of it
        assert laid_out("\r\n".join(map(spoilt, lines)) + "\n\n") == layout(good), file


def spoilt(line: str) -> str:
    words = line.lstrip(" ")
    words = f"-     {words[2:]}" if words.startswith("- ") else words
    return f"{' ' * 3 * (len(line) - len(line.lstrip(' ')))}{words}  "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("labels: {  team: ml ,a: b }", "labels: {team: ml, a: b}"),
        ('labels: {"team":ml}'.replace(":ml", ": ml"), 'labels: {"team": ml}'),
        ("files:\n- source: ./a\n  destination: /b", "files:\n  - source: ./a\n    destination: /b"),
        ("nodes:\n    count: 1", "nodes:\n  count: 1"),
        ("nodes:\n  a: {model: spot,\n      x: y\n  }", "nodes:\n  a: {model: spot,\n    x: y\n  }"),
        ("name: a # why", "name: a  # why"),
        ("name: a   # lined\nzone: abc # up", "name: a   # lined\nzone: abc  # up"),
        ("#about\nnodes:\n    # of it\n    count: 1\n    # also\nname: a",
         "#about\nnodes:\n  # of it\n  count: 1\n  # also\nname: a"),
        ("name: a\n\n\n\nzone: b", "name: a\n\nzone: b"),
        ("startup_script:\n    inline: |\n          #!/bin/sh\n            echo  a\n\n          b\nname: a",
         "startup_script:\n  inline: |\n    #!/bin/sh\n      echo  a\n\n    b\nname: a"),
        ("startup_script:\n    inline: |2\n         indented\n        b\nname: a",
         "startup_script:\n  inline: |2\n       indented\n      b\nname: a"),
        ("name: |\n      a  \n\nzone: b", "name: |\n  a  \n\nzone: b"),
        ('name: "a\n      b"', 'name: "a\n  b"'),
        ("x-a:   &a\n    b: c\nlabels:  *a", "x-a: &a\n  b: c\nlabels: *a"),
        ("x-a:\n- - 1\n  - 2\n- &b 3", "x-a:\n  - - 1\n    - 2\n  - &b 3"),
        ("x-a: {*b : c, d: [ ]}".replace("*b ", "b "), "x-a: {b: c, d: []}"),
    ],
)  # fmt: skip
def test_layout(before: str, after: str) -> None:
    assert laid_out(f"{HEADING}{before}") == f"{HEADING}{after}\n"


def test_lines_end_as_everywhere() -> None:
    assert laid_out("clusterprint: v1  \r\nkind: vm\r\n\r\n") == HEADING


def test_a_text_that_keeps_its_empty_lines_keeps_them() -> None:
    kept = f"{HEADING}startup_script:\n  inline: |+\n    a\n\n\n"
    assert laid_out(kept) == kept


@pytest.mark.parametrize(
    ("sign", "end"),
    [("|", ""), (">", ""), ("|+", ""), ("|2", ""), ("|  # not -", ""), ("|-", "\n"), (">-  # a+b", "\n")],
)
def test_a_text_at_the_end_gets_no_line_break_that_would_be_part_of_it(sign: str, end: str) -> None:
    text = f"{HEADING}startup_script:\n  inline: {sign}\n    a"
    assert laid_out(text) == text + end
    assert laid_out(f"{text}\n") == f"{text}\n"


def test_what_cannot_be_read_is_left_alone(clusterprint: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("a:   [1\n", "utf-8")
    done = clusterprint("fmt", broken)
    assert done.returncode == 1
    assert "BP013" in done.stderr
    assert broken.read_text("utf-8") == "a:   [1\n"


def test_check_says_which_and_changes_nothing(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("clusterprint:  v1\nkind: vm\n", "utf-8")
    file.chmod(0o640)
    checked = clusterprint("fmt", "--check", file)
    assert (checked.returncode, checked.stdout) == (1, f"would change {file}\n")
    assert file.read_text("utf-8") == "clusterprint:  v1\nkind: vm\n"
    done = clusterprint("fmt", file)
    assert (done.returncode, done.stdout) == (0, f"changed {file}\n")
    assert file.read_text("utf-8") == HEADING
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert clusterprint("fmt", "--check", file).returncode == 0


def test_a_link_stays_a_link(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text("clusterprint:  v1\nkind: vm\n", "utf-8")
    link = tmp_path / "link.yaml"
    link.symlink_to("real.yaml")
    assert clusterprint("fmt", link).returncode == 0
    assert link.is_symlink()
    assert (tmp_path / "real.yaml").read_text("utf-8") == HEADING


def piped(text: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "clusterprint", "fmt", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.process
def test_standard_input_goes_to_standard_output() -> None:
    assert piped("clusterprint:  v1\nkind: vm\n").stdout == HEADING


@pytest.mark.process
def test_a_secret_is_not_printed_to_be_laid_out() -> None:
    done = piped(f"{HEADING}metadata: {{key: AKIA{'Q' * 12}ABCD}}\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "looks like a secret" in done.stderr


def test_only_space_can_be_edited() -> None:
    with pytest.raises(ValueError, match="not an edit of space"):
        applied("a b", [Edit(0, 1, " ")])
    with pytest.raises(ValueError, match="not an edit of space"):
        applied("a b", [Edit(1, 2, "x")])
