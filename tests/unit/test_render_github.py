"""Workflow commands, as GitHub's runner reads them."""

import json
from pathlib import Path

import pytest
from support import BLUEPRINTS, Run

from clusterprint.cli.output import say
from clusterprint.diagnostic import Diagnostic, Label, Severity, Span
from clusterprint.render.github import render


def found(
    place: Label, message: str = "m", *, severity: Severity = Severity.ERROR, **more: object
) -> Diagnostic:
    return Diagnostic("GCP012", severity, message, place, **more)  # type: ignore[arg-type] # passed through


def test_error_with_everything() -> None:
    diagnostic = found(
        Label("blueprints/a.yaml", Span(7, 12, 7, 16)),
        "nodes are spot",
        also=(Label("blueprints/a.yaml", Span(8, 18, 8, 22), "named here"), Label("b.yaml")),
        help="remove one",
    )
    assert render([diagnostic]) == (
        "::error file=blueprints/a.yaml,line=7,endLine=7,col=12,endColumn=16,title=clusterprint GCP012::"
        "nodes are spot%0Ablueprints/a.yaml:8:18: named here%0Ab.yaml%0Ahelp: remove one"
    )


def test_warning_over_several_lines_has_no_columns() -> None:
    diagnostic = found(Label("a.yaml", Span(1, 2, 3, 4)), severity=Severity.WARNING)
    assert render([diagnostic]) == "::warning file=a.yaml,line=1,endLine=3,title=clusterprint GCP012::m"


def test_a_note_is_a_notice() -> None:
    diagnostic = found(Label("a.yaml"), severity=Severity.NOTE)
    assert render([diagnostic]) == "::notice file=a.yaml,title=clusterprint GCP012::m"


def test_file_as_a_whole_and_standard_input() -> None:
    assert render([found(Label("a.yaml"))]) == "::error file=a.yaml,title=clusterprint GCP012::m"
    assert render([found(Label("-", Span(1, 1, 1, 2)))]) == (
        "::error line=1,endLine=1,col=1,endColumn=2,title=clusterprint GCP012::m"
    )


def test_data_and_properties_are_escaped() -> None:
    diagnostic = found(Label("a,b:c%d.yaml"), "50% of: a, b\n::warning::injected\r\x1b[31m", help="x\n::y::")
    assert render([diagnostic]) == (
        "::error file=a%2Cb%3Ac%25d.yaml,title=clusterprint GCP012::"
        "50%25 of: a, b\\n::warning::injected\\r\\x1b[31m%0Ahelp: x\\n::y::"
    )


def test_one_line_each() -> None:
    assert render([found(Label("a.yaml", Span(1, 1, 1, 2)))] * 3).count("\n") == 2
    assert render([]) == ""


#: Every command of the runner (actions/runner: ActionCommandManager), and how a line gives it.
RUNNER = (
    *(
        "add-mask",
        "add-matcher",
        "remove-matcher",
        "add-path",
        "set-env",
        "set-output",
        "save-state",
        "debug",
    ),
    *("error", "warning", "notice", "group", "endgroup", "stop-commands", "echo", "internal-set-repo-path"),
)
GIVEN = ("::{} name=a::b", "  ::{}::b", "##[{} name=a;]b", "x ##[{}]b", "\r::{}::b")


@pytest.mark.parametrize("command", RUNNER)
def test_no_text_is_a_command_to_the_runner(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for given in GIVEN:
        text = given.format(command)
        for said in (text, f"first\n{text}", json.dumps({"text": text}), json.dumps([text], indent=2)):
            say(said)
            out = capsys.readouterr().out
            assert "##[" not in out
            assert not [line for line in out.splitlines() if line.strip().startswith(f"::{command}")]
            if said[0] in "[{":
                assert json.loads(out) == json.loads(said)


@pytest.mark.parametrize(
    "acting",
    [
        *("\x1b[2J", "\x1b[1A", "\x1b]0;title\x07", "\x1bc", "\x9b2J", "\x9d0;x\x9c", "\r", "\b", "\a", "\0"),
        *("\x7f", "\x0b", "\x0c", "\x85", "\x1b[31;2J", "\x1b(0", "\x1b"),
    ],
)
def test_no_text_acts_on_a_terminal(acting: str, capsys: pytest.CaptureFixture[str]) -> None:
    say(f"\x1b[1;31mred\x1b[m\ttab\r\na{acting}b", color=True)
    out = capsys.readouterr().out
    assert out.startswith("\x1b[1;31mred\x1b[m\ttab\r\na\\")
    assert out.endswith("b\n")
    assert "".join(filter(str.isprintable, out[out.index("\\") :])) == out[out.index("\\") : -1]


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_no_report_passes_on_a_command(form: str, clusterprint: Run, tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
    words = " ".join(f"##[{each}]x" for each in RUNNER)
    made = (
        f"{text}labels: {json.dumps({words: words})}\nmetadata: {json.dumps({'a': f'::error::x {words}'})}\n"
    )
    (tmp_path / "first.yaml").write_text(made)
    for command in (("validate", "--format", form), ("list",), ("show",), ("fmt", "--check")):
        done = clusterprint(command[0], tmp_path / "first.yaml", *command[1:])
        assert "##[" not in done.stdout + done.stderr
