"""How people are asked before something is made or destroyed."""

import click
import pytest

from clusterprint.cli import lifecycle
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.session import Broken


def asked(monkeypatch: pytest.MonkeyPatch, ends_with: BaseException) -> bool:
    def ask(_: str) -> str:
        raise ends_with

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", ask)
    return lifecycle.agreed("Destroy all this?", yes=False)


def test_the_end_of_the_input_is_no(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(monkeypatch, EOFError()) is False


def test_ctrl_c_ends_the_command_and_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(click.Abort):
        asked(monkeypatch, KeyboardInterrupt())


def test_what_outputs_hold_does_not_move_the_cursor() -> None:
    held = ["one", {"key": "\x1b[2J"}, ["\x9b2J"], "first\nsecond\x07", None]
    assert [lifecycle.lines_of(each) for each in held] == [
        ["one"],
        ["key: \\x1b[2J"],
        ["\\x9b2J"],
        ["first", "second\\x07"],
        [],
    ]


def test_who_has_locked_a_state_does_not_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    lock = "Error acquiring the state lock\n  ID:      7\n  Who:     \x1b[2Jsomebody\n"
    lifecycle.tell_broken([Broken("first", TerraformFailed("plan", [lock]))], (), "the same command")
    said = capsys.readouterr().err
    assert "Lock 7: an operation of \\x1b[2Jsomebody" in said
    assert "\x1b" not in said
