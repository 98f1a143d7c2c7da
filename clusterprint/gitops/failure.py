"""The comment without a report: a change that could not be reviewed must not look harmless.

    python -I -m clusterprint.gitops.failure --code N SAID OUT

SAID is the file with what the command said on standard error, OUT the report that it did not write. Needs
nothing but Python, like the comment itself.
"""

import argparse
import os
import sys
from pathlib import Path

from clusterprint.render.visible import visible
from clusterprint.review.render.markdown_text import fence

_MEANINGS = {
    1: "there are problems in the blueprints",
    2: "it was called in a way that cannot work",
    3: "something is wrong with the machine of this job, or with clusterprint",
}
_MOST_LINES, _MOST_CHARACTERS = 40, 4_000


def render(code: int, said: str) -> str:
    """The comment in place of a report."""
    meaning = _MEANINGS.get(code, f"it ended with exit code {code}")
    lines = said.strip()[:_MOST_CHARACTERS].splitlines()[:_MOST_LINES]
    shown = f"\n\n{fence(chr(10).join(lines), 'text')}" if lines else ""
    return (
        "## ❌ This change could not be reviewed\n\n"
        f"clusterprint made no report, because {meaning} (exit code {code}). What the change would do to the "
        f"clusters is not known, and nothing is allowed until it is.{shown}\n"
    )


def summary(code: int, said: str, *, on_github: bool) -> str:
    """The same in one line; on GitHub an annotation of the workflow."""
    first = next((line for line in said.splitlines() if line.startswith("error: ")), f"exit code {code}")
    told = f"there is no report: {visible(first.removeprefix('error: '))}"
    # The runner looks for commands of the older kind anywhere in a line.
    told = told.replace("##[", "##\\[")
    return f"::error title=clusterprint::{told.replace('%', '%25')}" if on_github else f"error: {told}"


def main() -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(description="Write a comment in place of a report that was not made.")
    parser.add_argument("--code", type=int, required=True, help="The exit code of the review.")
    parser.add_argument("said", type=Path, help="Standard error of the review.")
    parser.add_argument("out", type=Path, help="File to write.")
    given = parser.parse_args()
    said = given.said.read_text("utf-8", "replace") if given.said.is_file() else ""
    given.out.write_text(render(given.code, said), "utf-8")
    sys.stdout.write(f"{summary(given.code, said, on_github='GITHUB_OUTPUT' in os.environ)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
