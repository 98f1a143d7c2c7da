"""Programs of the clouds for tests: each answers from a table, and writes down how it was called."""

import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

_PROGRAM = """\
#!{python}
import json, re, sys
from pathlib import Path
folder, words = Path({folder!r}), " ".join(sys.argv[1:])
with (folder / "calls").open("a") as calls:
    calls.write(json.dumps([Path(sys.argv[0]).name, *sys.argv[1:]]) + "\\n")
for pattern, out, err, code in json.loads((folder / "answers").read_text())[Path(sys.argv[0]).name]:
    if re.search(pattern, words):
        sys.stdout.write(out)
        sys.stderr.write(err)
        sys.exit(code)
sys.stderr.write("nobody knows: " + words)
sys.exit(1)
"""


class Answer(NamedTuple):
    """The answer to a call whose words, in one line, match a pattern."""

    pattern: str
    out: Any = ""
    err: str = ""
    code: int = 0


class StandIns:
    """A folder with programs in it; the first answer that fits is given."""

    def __init__(self, folder: Path, **programs: list[Answer]) -> None:
        self.folder = folder
        folder.mkdir()
        answers = {}
        for name, given in programs.items():
            file = folder / name
            file.write_text(_PROGRAM.format(python=sys.executable, folder=str(folder)))
            file.chmod(0o755)
            answers[name] = [
                each._replace(out=each.out if isinstance(each.out, str) else json.dumps(each.out))
                for each in given
            ]
        (folder / "answers").write_text(json.dumps(answers))

    @property
    def calls(self) -> list[list[str]]:
        """The words of each call, with the program."""
        file = self.folder / "calls"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    @property
    def environment(self) -> dict[str, str]:
        """An environment that finds these programs and no others of their kind."""
        return {**os.environ, "PATH": str(self.folder)}

    @property
    def first(self) -> dict[str, str]:
        """A PATH that finds these programs before all others."""
        return {"PATH": f"{self.folder}{os.pathsep}{os.environ['PATH']}"}
