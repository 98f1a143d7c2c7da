"""Keeps one issue of a GitLab project about what was found each night, and closes it once all is well.

    python -m clusterprint.gitops.issue FILE --title TITLE [--solved]

With `--solved` the open issue gets FILE as a last word and is closed; without one nothing is written. The
issue is found again by its label and an invisible first line, among those that the token itself opened. It
takes CI_API_V4_URL, CI_PROJECT_ID and CLUSTERPRINT_TOKEN, with the scope `api` and the role Reporter.

Exit codes: 0 done; 2 wrong usage; 3 failed.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from clusterprint.gitops.comment import Failed, Refused, body, in_the_end, mark, needed, send

LABEL = KEY = "clusterprint-drift"
_LIMIT = 1_000_000
_PAGE = 100


class Issues:
    """Issues of a project of GitLab."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._api = needed(environment, "CI_API_V4_URL")
        self._issues = f"{self._api}/projects/{needed(environment, 'CI_PROJECT_ID')}/issues"
        self._token = needed(environment, "CLUSTERPRINT_TOKEN")

    def own(self) -> Iterator[dict[str, Any]]:
        """The open issues of our label that this token wrote, oldest first."""
        me = self._ask("GET", f"{self._api}/user")["id"]
        asked = {"state": "opened", "labels": LABEL, "author_id": me, "sort": "asc", "per_page": _PAGE}
        for each in self._ask("GET", f"{self._issues}?{urlencode(asked)}"):
            if each["description"].split("\n", 1)[0].strip() == mark(KEY):
                yield each

    def open(self, title: str, text: str) -> str:
        """Open an issue; its address."""
        made = self._ask("POST", self._issues, {"title": title, "labels": LABEL, "description": text})
        return str(made["web_url"])

    def write(self, issue: Mapping[str, Any], text: str) -> None:
        """Give an issue another text."""
        self._ask("PUT", f"{self._issues}/{issue['iid']}", {"description": text})

    def close(self, issue: Mapping[str, Any], word: str) -> None:
        """Say a last word, and close an issue."""
        self._ask("POST", f"{self._issues}/{issue['iid']}/notes", {"body": word})
        self._ask("PUT", f"{self._issues}/{issue['iid']}", {"state_event": "close"})

    def _ask(self, method: str, url: str, data: dict[str, Any] | None = None) -> Any:
        return send(method, url, {"PRIVATE-TOKEN": self._token}, data)


def settle(issues: Issues, title: str, text: str, *, solved: bool) -> str:
    """Make sure that there is exactly one issue with this text, or none any more; what was done."""
    found = list(issues.own())
    kept = found[0] if found else None
    for each in found[1:]:
        issues.close(each, "There is another issue about the same.")
    if solved:
        if kept:
            issues.close(kept, text)
        return "closed" if kept else "left out"
    if kept is None:
        return f"opened: {issues.open(title, text)}"
    if kept["description"].strip() == text.strip():
        return f"unchanged: {kept['web_url']}"
    issues.write(kept, text)
    return f"updated: {kept['web_url']}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Keep one issue about what was found up to date.")
    parser.add_argument("file", type=Path, help="The findings, in Markdown.")
    parser.add_argument("--title", required=True, help="The title of a new issue.")
    parser.add_argument("--solved", action="store_true", help="All is well: close the issue.")
    return parser.parse_args()


def main() -> int:
    """Run the command; its exit code."""
    given = _arguments()
    try:
        issues, said = Issues(os.environ), given.file.read_text("utf-8")
        text = said if given.solved else body(said, KEY, "", _LIMIT)
        done = in_the_end(lambda: settle(issues, given.title, text, solved=given.solved))
    except (Failed, Refused, OSError, ValueError) as failed:
        sys.stderr.write(f"error: the issue could not be written: {failed}\n")
        return 3
    sys.stdout.write(f"issue {done}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
