"""How people are asked before something is made or destroyed."""

import click
import pytest

from clusterprint.cli import living


def asked(monkeypatch: pytest.MonkeyPatch, ends_with: BaseException) -> bool:
    def ask(_: str) -> str:
        raise ends_with

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", ask)
    return living.agreed("Destroy all this?", yes=False)


def test_the_end_of_the_input_is_no(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(monkeypatch, EOFError()) is False


def test_ctrl_c_ends_the_command_and_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(click.Abort):
        asked(monkeypatch, KeyboardInterrupt())
