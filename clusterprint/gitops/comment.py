"""Puts a report into one comment of a pull request (GitHub) or merge request (GitLab), and keeps it current.

    python comment.py FILE [--forge github|gitlab] [--key NAME] [--only-update] [--footer TEXT]

The comment is found again by an invisible first line that carries the key, and only among those that the
token itself wrote: nobody's words are overwritten because they quote ours. More than one (two runs at the
same time) become one again. One file with the standard library only, on purpose: workflows run it by its
path, and people can read all of what their token is used for.

Exit codes: 0 done, or a notice says that the token may not comment; 2 wrong usage; 3 failed.
"""

import argparse
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

_ATTEMPTS = 4
_TIMEOUT = 30
_PASSING = frozenset({429, 500, 502, 503, 504})
_REFUSED = frozenset({401, 403, 404})
_Done = TypeVar("_Done")
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")


class Refused(Exception):  # noqa: N818 - not an error: the way of things in forks
    """The token may not write comments here."""


class Failed(Exception):  # noqa: N818 - said to people as it stands
    """The forge does not answer, or not as it should."""


class Passing(Failed):
    """A fault that may be gone in a moment."""


class Comment(NamedTuple):
    """A comment that this token wrote."""

    id: str
    body: str
    url: str


class Forge(Protocol):
    """Where comments are kept."""

    limit: int  # characters of a comment

    def own(self) -> Iterator[Comment]:
        """The comments that this token wrote, oldest first."""

    def create(self, body: str) -> str:
        """Write a comment; its address."""

    def update(self, comment: Comment, body: str) -> str:
        """Write another text into a comment; its address."""

    def delete(self, comment: Comment) -> None:
        """Remove a comment."""


class GitHub:
    """Comments of a pull request, by the GraphQL interface: it knows which are the token's own."""

    limit = 65_536
    _LIST = """query($owner: String!, $name: String!, $number: Int!, $after: String) {
      repository(owner: $owner, name: $name) { pullRequest(number: $number) { id
        comments(first: 100, after: $after) {
          pageInfo { hasNextPage endCursor } nodes { id url body viewerDidAuthor } } } } }"""
    _ADD = """mutation($id: ID!, $body: String!) {
      addComment(input: {subjectId: $id, body: $body}) { commentEdge { node { url } } } }"""
    _UPDATE = """mutation($id: ID!, $body: String!) {
      updateIssueComment(input: {id: $id, body: $body}) { issueComment { url } } }"""
    _DELETE = "mutation($id: ID!) { deleteIssueComment(input: {id: $id}) { clientMutationId } }"

    def __init__(self, environment: dict[str, str]) -> None:
        self._url = environment.get("GITHUB_GRAPHQL_URL") or "https://api.github.com/graphql"
        self._token = needed(environment, "GITHUB_TOKEN")
        self._owner, _, self._name = needed(environment, "GITHUB_REPOSITORY").partition("/")
        self._number = int(needed(environment, "PULL_REQUEST"))
        self._subject = ""

    def own(self) -> Iterator[Comment]:
        """The comments that this token wrote, oldest first."""
        after = None
        while True:
            place = {"owner": self._owner, "name": self._name, "number": self._number, "after": after}
            pull = (self._ask(self._LIST, place).get("repository") or {}).get("pullRequest")
            if not pull:
                raise Refused(f"pull request {self._number} cannot be seen")
            self._subject = pull["id"]
            for node in pull["comments"]["nodes"]:
                if node["viewerDidAuthor"]:
                    yield Comment(node["id"], node["body"], node["url"])
            if not pull["comments"]["pageInfo"]["hasNextPage"]:
                return
            after = pull["comments"]["pageInfo"]["endCursor"]

    def create(self, body: str) -> str:
        """Write a comment; its address. `own` comes first: it learns what pull request this is."""
        made = self._ask(self._ADD, {"id": self._subject, "body": body})
        return str(made["addComment"]["commentEdge"]["node"]["url"])

    def update(self, comment: Comment, body: str) -> str:
        """Write another text into a comment; its address."""
        self._ask(self._UPDATE, {"id": comment.id, "body": body})
        return comment.url

    def delete(self, comment: Comment) -> None:
        """Remove a comment."""
        self._ask(self._DELETE, {"id": comment.id})

    def _ask(self, query: str, variables: dict[str, Any]) -> dict[str, Any]:
        headers = {"Authorization": f"bearer {self._token}"}
        answer = send("POST", self._url, headers, {"query": query, "variables": variables})
        errors = answer.get("errors") or []
        if any(error.get("type") in {"FORBIDDEN", "NOT_FOUND"} for error in errors):
            raise Refused(errors[0].get("message", "refused"))
        if any(error.get("type") == "RATE_LIMITED" for error in errors):
            raise Passing(errors[0].get("message", "too many requests"))
        if errors:
            raise Failed("; ".join(str(error.get("message")) for error in errors))
        return answer.get("data") or {}


class GitLab:
    """Notes of a merge request."""

    limit = 1_000_000

    def __init__(self, environment: dict[str, str]) -> None:
        project = environment.get("CI_MERGE_REQUEST_PROJECT_ID") or needed(environment, "CI_PROJECT_ID")
        number = needed(environment, "CI_MERGE_REQUEST_IID")
        self._api = needed(environment, "CI_API_V4_URL")
        self._notes = f"{self._api}/projects/{project}/merge_requests/{number}/notes"
        self._token = needed(environment, "CLUSTERPRINT_TOKEN")
        self._page = f"{environment.get('CI_MERGE_REQUEST_PROJECT_URL', '')}/-/merge_requests/{number}"

    def own(self) -> Iterator[Comment]:
        """The notes that this token wrote, oldest first."""
        me = self._ask("GET", f"{self._api}/user")["id"]
        number = 1
        while True:
            notes = self._ask("GET", f"{self._notes}?sort=asc&per_page=100&page={number}")
            for note in notes:
                if note["author"]["id"] == me and not note.get("system"):
                    yield Comment(str(note["id"]), note["body"], self._address(note))
            if len(notes) < 100:  # noqa: PLR2004 - as many as were asked for
                return
            number += 1

    def create(self, body: str) -> str:
        """Write a note; its address."""
        return self._address(self._ask("POST", self._notes, {"body": body}))

    def update(self, comment: Comment, body: str) -> str:
        """Write another text into a note; its address."""
        self._ask("PUT", f"{self._notes}/{comment.id}", {"body": body})
        return comment.url

    def delete(self, comment: Comment) -> None:
        """Remove a note."""
        self._ask("DELETE", f"{self._notes}/{comment.id}")

    def _address(self, note: dict[str, Any]) -> str:
        return f"{self._page}#note_{note['id']}"

    def _ask(self, method: str, url: str, data: dict[str, Any] | None = None) -> Any:
        return send(method, url, {"PRIVATE-TOKEN": self._token}, data)


def send(method: str, url: str, headers: dict[str, str], data: dict[str, Any] | None) -> Any:
    """One request, its answer as data. Raises Refused, Passing, or Failed."""
    if not url.startswith(("https://", "http://")):
        raise Failed(f"{url} is not a web address")
    headers = {**headers, "Content-Type": "application/json", "User-Agent": "clusterprint"}
    content = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url, content, headers, method=method)  # noqa: S310 - checked above
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:  # noqa: S310 - checked above
            text = answer.read()
    except urllib.error.HTTPError as error:
        told = f"{method} {url}: {error.code} {error.reason}"
        if error.code in _PASSING or error.headers.get("Retry-After"):
            raise Passing(told) from error
        raise (Refused if error.code in _REFUSED else Failed)(told) from error
    except OSError as error:
        raise Passing(f"{method} {url}: {error}") from error
    try:
        return json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise Failed(f"{method} {url}: the answer is not JSON") from error


def needed(environment: Mapping[str, str], name: str) -> str:
    """A variable that has to be there. Raises Failed."""
    value = environment.get(name, "")
    if not value:
        raise Failed(f"the environment has no {name}")
    return value


# ---- what is written


def body(report: str, key: str, footer: str, limit: int) -> str:
    """The text of the comment: its mark, the report, the footer; a word about a report that is too long."""
    begin, end = mark(key), f"\n\n<sub>{footer}</sub>\n" if footer else "\n"
    whole = f"{begin}\n{report.strip()}{end}"
    if len(whole) <= limit:
        return whole
    first = next((line for line in report.splitlines() if line.strip()), "")[:500]
    told = (
        f"The report has {len(report):,} characters, a comment holds {limit:,}: read it where this was run."
    )
    return f"{begin}\n{first}\n\n{told}{end}"


def mark(key: str) -> str:
    """The invisible first line of what is ours."""
    return f"<!-- clusterprint:{key} -->"


def settle(forge: Forge, key: str, text: str, *, only_update: bool) -> tuple[str, str]:
    """Make sure that there is exactly one comment, with this text; what was done, and its address."""
    mine = [comment for comment in forge.own() if comment.body.split("\n", 1)[0].strip() == mark(key)]
    if not mine:
        return ("left out", "") if only_update else ("created", forge.create(text))
    kept, *repeated = mine
    for comment in repeated:
        forge.delete(comment)
    if kept.body.strip() == text.strip():
        return "unchanged", kept.url
    return "updated", forge.update(kept, text)


def in_the_end(do: Callable[[], _Done]) -> _Done:
    """Do something through passing faults. Each attempt has to look again: none repeats an earlier one."""
    pause = float(os.environ.get("CLUSTERPRINT_RETRY_SECONDS", "2"))
    for attempt in range(1, _ATTEMPTS):
        try:
            return do()
        except Passing:
            time.sleep(pause * attempt)
    return do()


# ---- the command


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Put a report into one comment and keep it up to date.")
    parser.add_argument("file", type=Path, help="The report, in Markdown.")
    parser.add_argument("--forge", choices=["github", "gitlab"], default="github")
    parser.add_argument("--key", default="review", help="Tells this comment from others of clusterprint.")
    parser.add_argument("--only-update", action="store_true", help="Write no new comment.")
    parser.add_argument("--footer", default="", help="A last line in Markdown.")
    given = parser.parse_args()
    if not _KEY.fullmatch(given.key) or "--" in given.key:
        parser.error(f"{given.key!r} is not a key: letters, digits, and single . _ / - between them")
    return given


def main() -> int:
    """Run the command; its exit code."""
    given = _arguments()
    try:
        forge: Forge = (GitHub if given.forge == "github" else GitLab)(dict(os.environ))
        text = body(given.file.read_text("utf-8"), given.key, given.footer, forge.limit)
        done, url = in_the_end(lambda: settle(forge, given.key, text, only_update=given.only_update))
    except Refused as refused:
        told = f"no comment, this run may not write one ({refused}): see the summary and the files of the job"
        sys.stdout.write(f"::notice title=clusterprint::{told}\n" if given.forge == "github" else f"{told}\n")
        return 0
    except (Failed, OSError, ValueError) as failed:
        sys.stderr.write(f"error: the comment could not be written: {failed}\n")
        return 3
    sys.stdout.write(f"comment {done}{f': {url}' if url else ''}\n")
    outputs = os.environ.get("GITHUB_OUTPUT")
    if outputs:
        with Path(outputs).open("a", encoding="utf-8") as file:
            file.write(f"comment-url={url}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
