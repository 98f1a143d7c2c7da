"""An editor for tests: pygls' client, which starts the language server and talks to it as editors do."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from support import ROOT

T = TypeVar("T")
SECONDS = 60


class Editor:
    """A running server, asked as by an editor that counts columns in `encoding`. A context manager."""

    def __init__(
        self,
        encoding: lsp.PositionEncodingKind = lsp.PositionEncodingKind.Utf16,
        command: Sequence[str] = (sys.executable, "-m", "clusterprint", "lsp", "--stdio"),
    ) -> None:
        self._command = command
        self._loop = asyncio.new_event_loop()
        self._client = LanguageClient("tests", "1")
        self._encoding = encoding
        self._found: dict[str, list[lsp.Diagnostic]] = {}
        self._told = asyncio.Event()
        self._versions: dict[str, int] = {}
        self._texts: dict[str, str] = {}
        #: The versions of documents that something was said about, in order.
        self.told: list[tuple[str, int | None]] = []

        self._client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._keep))

    def _keep(self, params: lsp.PublishDiagnosticsParams) -> None:
        self._found[params.uri] = list(params.diagnostics)
        self.told.append((params.uri, params.version))
        self._told.set()

    def __enter__(self) -> Self:
        self._wait(self._client.start_io(*self._command, cwd=ROOT))
        abilities = lsp.ClientCapabilities(
            general=lsp.GeneralClientCapabilities(position_encodings=[self._encoding])
        )
        asked = lsp.InitializeParams(capabilities=abilities, root_uri=ROOT.as_uri())
        self.abilities = self._wait(self._client.initialize_async(asked)).capabilities
        self._client.initialized(lsp.InitializedParams())
        return self

    def __exit__(self, *_: object) -> None:
        self._wait(self._client.shutdown_async(None))
        self._client.exit(None)
        self._wait(self._client.stop())  # type: ignore[no-untyped-call] # so it is there
        self._loop.close()

    def _wait(self, work: Awaitable[T]) -> T:
        return self._loop.run_until_complete(asyncio.wait_for(work, SECONDS))

    def open(self, text: str, file: Path = ROOT / "blueprints" / "opened.yaml") -> list[lsp.Diagnostic]:
        """Open a file with a text, saved or not; what is marked in it."""
        return self.until_told(file.as_uri(), lambda: self.show(file.as_uri(), text))

    def show(self, uri: str, text: str) -> None:
        """Open a document, which may be no file, and wait for nothing."""
        self._versions[uri], self._texts[uri] = 1, text
        item = lsp.TextDocumentItem(uri, "yaml", 1, text)
        self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def type(self, uri: str, at: tuple[int, int, int, int], text: str) -> list[lsp.Diagnostic]:
        """Replace a stretch of an open file; what is marked in it then."""
        return self.until_told(uri, lambda: self.change(uri, at, text))

    def change(self, uri: str, at: tuple[int, int, int, int], text: str) -> None:
        """The same, and wait for nothing."""
        self._versions[uri] = self._versions.get(uri, 0) + 1
        whole = self._texts[uri] = _replaced(self._texts.get(uri, ""), at, text)
        change: lsp.TextDocumentContentChangeEvent = lsp.TextDocumentContentChangeWholeDocument(whole)
        if self._takes_stretches():
            change = lsp.TextDocumentContentChangePartial(text=text, range=_range(*at))
        version = lsp.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        self._client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))

    def _takes_stretches(self) -> bool:
        taken = self.abilities.text_document_sync
        assert isinstance(taken, lsp.TextDocumentSyncOptions)
        return taken.change == lsp.TextDocumentSyncKind.Incremental

    def close(self, uri: str) -> None:
        """Close a document."""
        item = lsp.TextDocumentIdentifier(uri)
        self._client.text_document_did_close(lsp.DidCloseTextDocumentParams(item))

    def until_told(self, uri: str, tell: Callable[[], object]) -> list[lsp.Diagnostic]:
        """Do something, and wait for what is marked in a document then."""
        self._told.clear()
        self._found.pop(uri, None)
        tell()
        while uri not in self._found:
            self._wait(self._told.wait())
            self._told.clear()
        return self._found[uri]

    def ask(self, method: str, params: Any) -> Any:
        """Ask anything."""
        return self._wait(getattr(self._client, f"{method}_async")(params))

    def ask_all(self, uri: str, *places: tuple[int, int]) -> list[Any]:
        """Ask all that a server can be asked about a document, and about each place in it."""
        document, whole = lsp.TextDocumentIdentifier(uri), _range(0, 0, *max(places))
        found = lsp.CodeActionContext(self._found.get(uri, []))
        declared = lsp.ReferenceContext(include_declaration=True)
        options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
        asked: list[tuple[str, Any]] = [
            ("document_symbol", lsp.DocumentSymbolParams(document)),
            ("inlay_hint", lsp.InlayHintParams(document, whole)),
            ("code_action", lsp.CodeActionParams(document, whole, found)),
            ("formatting", lsp.DocumentFormattingParams(document, options)),
        ]
        for position in (lsp.Position(*each) for each in places):
            asked += [
                ("completion", lsp.CompletionParams(document, position)),
                ("hover", lsp.HoverParams(document, position)),
                ("definition", lsp.DefinitionParams(document, position)),
                ("references", lsp.ReferenceParams(declared, document, position)),
                ("prepare_rename", lsp.PrepareRenameParams(document, position)),
                ("rename", lsp.RenameParams(document, position, "a: b")),
            ]
        return [self.ask(f"text_document_{method}", params) for method, params in asked]


def _replaced(text: str, at: tuple[int, int, int, int], new: str) -> str:
    """A text after an edit, with the lines of the protocol; columns count characters."""
    starts = [0, *(each.end() for each in re.finditer("\r\n|\r|\n", text)), len(text)]
    begin, end = (
        min(starts[min(line, len(starts) - 1)] + column, len(text)) for line, column in (at[:2], at[2:])
    )
    return text[:begin] + new + text[max(begin, end) :]


def _range(line: int, column: int, end_line: int, end_column: int) -> lsp.Range:
    return lsp.Range(lsp.Position(line, column), lsp.Position(end_line, end_column))
