"""GitHub and GitLab as far as comments go: small servers that remember what was written."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

BOT = "github-actions[bot]"
WRITER, READER = "token-that-may-write", "token-of-a-fork"


class Forge(ThreadingHTTPServer):
    """Comments with their authors, what was asked for, and faults that are still to come."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.comments: list[dict[str, Any]] = []
        self.issues: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.faults: list[int] = []
        self._number = 0

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"

    def add(self, author: str, body: str) -> dict[str, Any]:
        """Somebody writes a comment."""
        self._number += 1
        comment = {"number": self._number, "author": author, "body": body}
        self.comments.append(comment)
        return comment

    def by(self, author: str) -> list[str]:
        """The comments, oldest first."""
        return [comment["body"] for comment in self.comments if comment["author"] == author]


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Forge

    def log_message(self, *_: Any) -> None:
        """Tests look at `asked` instead."""

    def _answer(self, status: int, data: Any) -> None:
        content = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        data = json.loads(self.rfile.read(length)) if length else {}
        if self.server.faults:
            self._answer(self.server.faults.pop(0), {"message": "try again"})
        elif self.path == "/graphql":
            self._answer(200, self._github(data))
        else:
            self._answer(*self._gitlab(data))

    do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 - names that http.server looks for

    # ---- GitHub, GraphQL

    def _github(self, data: dict[str, Any]) -> dict[str, Any]:
        query, variables = data["query"], data["variables"]
        word = next(
            word
            for word in ("addComment", "updateIssueComment", "deleteIssueComment", "repository(")
            if word in query
        )
        self.server.asked.append(word)
        token = self.headers["Authorization"].removeprefix("bearer ")
        if word == "repository(":
            return {"data": self._github_page(variables)}
        if token != WRITER:
            return {
                "data": None,
                "errors": [{"type": "FORBIDDEN", "message": "Resource not accessible by integration"}],
            }
        if word == "addComment":
            assert variables["id"] == "PR_7"
            made = self.server.add(BOT, variables["body"])
            return {
                "data": {"addComment": {"commentEdge": {"node": {"url": f"https://forge/c{made['number']}"}}}}
            }
        comment = next(each for each in self.server.comments if f"IC_{each['number']}" == variables["id"])
        if word == "deleteIssueComment":
            self.server.comments.remove(comment)
        else:
            comment["body"] = variables["body"]
        return {"data": {word: {}}}

    def _github_page(self, variables: dict[str, Any]) -> dict[str, Any]:
        if (variables["owner"], variables["name"], variables["number"]) != ("team", "clusters", 7):
            return {"repository": None}
        start = int(variables["after"] or 0)
        page = self.server.comments[start : start + 100]
        nodes = [
            {
                "id": f"IC_{each['number']}",
                "url": f"https://forge/c{each['number']}",
                "body": each["body"],
                "viewerDidAuthor": each["author"] == BOT,
            }
            for each in page
        ]
        more = start + 100 < len(self.server.comments)
        info = {"hasNextPage": more, "endCursor": str(start + 100)}
        return {"repository": {"pullRequest": {"id": "PR_7", "comments": {"pageInfo": info, "nodes": nodes}}}}

    # ---- GitLab, REST

    def _gitlab(self, data: dict[str, Any]) -> tuple[int, Any]:
        address = urlsplit(self.path)
        self.server.asked.append(f"{self.command} {address.path}")
        if self.headers["PRIVATE-TOKEN"] != WRITER:
            return 401, {"message": "401 Unauthorized"}
        if address.path == "/api/v4/user":
            return 200, {"id": BOT}
        if address.path.startswith("/api/v4/projects/42/issues"):
            return self._gitlab_issue(address.path.split("/")[6:], parse_qs(address.query), data)
        return self._gitlab_note(address, data)

    def _gitlab_note(self, address: SplitResult, data: dict[str, Any]) -> tuple[int, Any]:
        notes = "/api/v4/projects/42/merge_requests/7/notes"
        assert address.path.startswith(notes), address.path
        if self.command == "GET":
            page = int(parse_qs(address.query)["page"][0]) - 1
            return 200, [self._note(each) for each in self.server.comments[page * 100 : page * 100 + 100]]
        if self.command == "POST":
            return 201, self._note(self.server.add(BOT, data["body"]))
        number = int(address.path.rpartition("/")[2])
        comment = next(each for each in self.server.comments if each["number"] == number)
        if self.command == "DELETE":
            self.server.comments.remove(comment)
            return 204, {}
        comment["body"] = data["body"]
        return 200, self._note(comment)

    def _gitlab_issue(
        self, rest: list[str], asked: dict[str, list[str]], data: dict[str, Any]
    ) -> tuple[int, Any]:
        issues = self.server.issues
        if self.command == "GET":
            (label,), (author,) = asked["labels"], asked["author_id"]
            wanted = [each for each in issues if (each["labels"], each["author"]) == (label, author)]
            return 200, [each for each in wanted if each["state"] == asked["state"][0]]
        if not rest:
            number = len(issues) + 1
            issues.append({**data, "iid": number, "web_url": f"https://forge/i{number}", "author": BOT})
            issues[-1] |= {"state": "opened", "notes": []}
            return 201, issues[-1]
        issue = issues[int(rest[0]) - 1]
        if rest[1:] == ["notes"]:
            issue["notes"].append(data["body"])
            return 201, {}
        if data.pop("state_event", "") == "close":
            issue["state"] = "closed"
        issue |= data
        return 200, issue

    def _note(self, comment: dict[str, Any]) -> dict[str, Any]:
        return {"id": comment["number"], "body": comment["body"], "author": {"id": comment["author"]}}


@contextmanager
def serving() -> Iterator[Forge]:
    """A forge without comments, for a while."""
    forge = Forge()
    thread = Thread(target=forge.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield forge
    finally:
        forge.shutdown()
        forge.server_close()
        thread.join()
