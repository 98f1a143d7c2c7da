"""Everything that reads blueprints, in this process: none of it may fail on its own account."""

import io
import random
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Self

import click
from lsp_client import Editor
from spoiled import Mutant
from support import cases

from clusterprint import examine
from clusterprint.cli import group
from clusterprint.cli.report import FORMATS
from clusterprint.errors import ClusterprintError
from clusterprint.validate.codes import RULE_CRASHED

_Command = tuple[str, ...]
_REPORTING: list[_Command] = [("validate", "--format", each) for each in FORMATS if each != "text"]
_READING: tuple[_Command, ...] = (
    ("list",), ("list", "--format", "json"), ("show",), ("show", "--format", "json"),
    ("fmt", "--check"), ("vendor", "--check"), ("import",),
)  # fmt: skip
_CHANGING: tuple[_Command, ...] = (("lint", "--fix"), ("fmt",))
# Exit codes of commands that read a blueprint and find nothing wrong with this machine. Of `doctor`: offline.
_CODES = {
    "review": {0, 1, 4, 5},
    "policy": {0, 1, 5},
    "import": {1, 2},
    "doctor": {0, 1, 3},
    "what-if": {0, 1, 4},
}


def _blueprints(folder: str, names: list[str]) -> list[str]:
    """The files that a copy of a folder does not need: blueprints, and their output."""
    return [name for name in names if name.endswith(".tf.json") or Path(folder, name) in cases()]


class Readers:
    """All commands that read blueprints, and the language server. A context manager."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._editor = folder, Editor()
        self._examined: dict[Any, Any] = {}
        self._alone = examine._examine_one  # noqa: SLF001 - a blueprint is checked once for all commands

    def __enter__(self) -> Self:
        self._editor.__enter__()
        examine._examine_one = self._once  # noqa: SLF001
        return self

    def __exit__(self, *_: object) -> None:
        examine._examine_one = self._alone  # noqa: SLF001
        self._editor.__exit__()

    def _once(self, named: Any) -> Any:
        key = named, Path(named[0]).read_bytes()
        if key not in self._examined:
            # A few are kept: `review` has another blueprint to compare with, the same for many mutants.
            self._examined = dict([*self._examined.items()][-3:]) | {key: self._alone(named)}
        return self._examined[key]

    def read(self, mutant: Mutant) -> bool:
        """Let a mutant be read; whether it is valid. Raises whatever a command should have said.

        `validate` reads each; of the other commands some, always the same; the language server a third.
        """
        file = self._laid(mutant)
        chance = random.Random(mutant.text)  # noqa: S311 - nothing secret is made of it
        lines = mutant.text.split("\n")
        longest = max(range(len(lines)), key=lambda each: len(lines[each]))
        some = chance.randrange(len(lines))
        named = chance.choice([*(at for at, line in enumerate(lines) if "name: " in line), longest])
        ends = [(line, len(lines[line])) for line in (some, named, longest)]
        if chance.random() < 1 / 3:
            self._editor.open(mutant.text, file)
            self._editor.ask_all(file.as_uri(), (0, 0), *ends, (len(lines), 3))
        valid = self._run("validate", str(file)) == 0
        for command in (chance.choice(_REPORTING), *chance.sample(_READING, 2)):
            self._run(*command, str(file))
        self._run(*chance.choice(self._synthesizing(file)))
        self._run(*chance.choice(_CHANGING), str(file))
        return valid

    def _synthesizing(self, file: Path) -> list[_Command]:
        """Commands that synthesize what is valid, or load what does."""
        out = ("synth", "--out", str(self._folder / "out"), str(file))
        review = ("review", "--base", str(file.parent.parent / "base"), "--head", str(file.parent))
        what_if = ("what-if", "--scenario", "node-faults")
        others = (("draw",), ("quota",), ("rights",), ("policy", "test"), ("doctor", "--offline"), what_if)
        return [out, review, *((*command, str(file)) for command in others)]

    def _laid(self, mutant: Mutant) -> Path:
        """The mutant in a folder with the files that it names, beside one with the blueprint that it was."""
        there = self._folder / mutant.host.parent.name
        for side in ("base", "head"):
            if not (there / side).exists():
                shutil.copytree(mutant.host.parent, there / side, ignore=_blueprints)
        (there / "base" / "a.yaml").write_bytes(mutant.host.read_bytes())
        file = there / "head" / "a.yaml"
        file.write_bytes(mutant.text.encode("utf-8", "surrogatepass"))
        return file

    def _run(self, *arguments: str) -> int:
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            try:
                code = group.main(arguments, standalone_mode=False)
            except SystemExit as end:
                code = end.code
            except (ClusterprintError, click.ClickException) as error:
                code = error.exit_code
                said.write(str(error))
        text = said.getvalue()
        assert RULE_CRASHED.code not in text, text[text.index(RULE_CRASHED.code) - 300 :][:1000]
        assert (code or 0) in _CODES.get(arguments[0], {0, 1}), f"{arguments}: {code}: {text[-1000:]}"
        return code or 0
