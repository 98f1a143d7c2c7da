"""The documentation of a diagnostic: what `clusterprint explain CODE` prints."""

import json
from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Severity


class Explanation(NamedTuple):
    """One thing that can be wrong.

    `name` is the bad pattern in snake_case words. `docs` has three parts, separated by blank lines:
    what (one line), why it matters, what to do about it. `source` is the title of what it rests on.
    """

    code: str
    name: str
    severity: Severity
    docs: str
    source: str = "The blueprint language"

    @property
    def title(self) -> str:
        """The title: the first line of the docs."""
        return self.docs.partition("\n")[0]

    @property
    def why(self) -> str:
        """Why it matters, on one line."""
        return " ".join(self.docs.split("\n\n")[1].split())

    @property
    def help(self) -> str:
        """The fix, on one line."""
        return " ".join(self.docs.split("\n\n")[2].split())


def explanations(file: Path) -> dict[str, Explanation]:
    """The explanations in a JSON file, by the names of their constants."""
    rows = json.loads(file.read_text("utf-8"))
    return {
        constant: Explanation(
            **row | {"docs": "\n\n".join(row["docs"]), "severity": Severity(row["severity"])}
        )
        for constant, row in rows.items()
    }
