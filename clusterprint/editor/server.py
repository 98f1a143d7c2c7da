"""The language server: when it looks at what, and what it tells whom. The only user of pygls.

One thread looks at texts and answers requests, one after the other; another one talks to the editor. So a
text that takes long blocks nothing, a newer version replaces an older one that waits, and whoever asks may
change their mind.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from clusterprint import __version__
from clusterprint.editor import answers
from clusterprint.editor.open_file import Opened, is_blueprint, opened
from clusterprint.find import OTHERS
from clusterprint.masking import mask

# Seconds; shorter than anybody notices, longer than between keys that are held.
_PAUSE = 0.03
# Seconds that a request waits; whoever asked has typed on by then.
_PATIENCE = 10

T = TypeVar("T")
_log = logging.getLogger(__name__)


class _Check(NamedTuple):
    text: str
    found: asyncio.Future[Opened]


class _Server(LanguageServer):
    """A server that remembers what it found in the last version of each file that is open."""

    def __init__(self) -> None:
        # Whole texts: for changes of a part, pygls counts lines that end at U+2028, too; editors do not.
        super().__init__("clusterprint", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self._checks: dict[str, _Check] = {}
        self._worker = ThreadPoolExecutor(1)

    def shutdown(self) -> None:
        """Come to an end, without what nobody waits for any more."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call] # so it is there

    async def answer(self, work: Callable[[answers.Seen, Any], T], params: Any) -> T | None:
        """The result of `work`; None if it is closed or no blueprint, changes, or takes too long."""
        try:
            return await asyncio.wait_for(self._answer(work, params), _PATIENCE)
        except TimeoutError:
            return None

    async def _answer(self, work: Callable[[answers.Seen, Any], T], params: Any) -> T | None:
        seen = await self._look_at(params.text_document.uri)
        found = await self._work(work, seen, params) if seen else None
        return found if seen and self._is_current(seen) else None

    async def publish(self, uri: str) -> None:
        """Tell the editor what is wrong with a file, unless it changes meanwhile."""
        document = self._document(uri)
        if document is None:
            return
        version, found = document.version, []
        # An empty file is only about to become a blueprint.
        if document.source.strip() and _is_blueprint(document):
            seen = await self._look_at(uri)
            if seen is None:
                return
            found = await self._work(answers.diagnostics, seen)
            if not self._is_current(seen):
                return
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    def close(self, uri: str) -> None:
        """Forget a file."""
        check = self._checks.pop(uri, None)
        if check:
            check.found.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def is_version(self, params: lsp.DidChangeTextDocumentParams) -> bool:
        """Whether a document is open, and as this change left it."""
        document = self._document(params.text_document.uri)
        return document is not None and document.version == params.text_document.version

    def _work(self, work: Callable[..., T], *about: Any) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._worker, work, *about)

    def _document(self, uri: str) -> TextDocument | None:
        """A document that is open; `get_text_document` would read any other from the disk, whatever it is."""
        documents: dict[str, TextDocument] = self.workspace.text_documents
        return documents.get(unquote(uri))

    async def _look_at(self, uri: str) -> answers.Seen | None:
        """A blueprint, and what is known about it; None if it is not open, is none, or changes meanwhile."""
        check, document = self._checks.get(uri), self._document(uri)
        text = document.source if document and _is_blueprint(document) else None
        if check and check.text != text:
            check.found.cancel()  # one that has begun runs to completion; its result is ignored
            del self._checks[uri]
            check = None
        if text is None:
            return None
        if check is None:
            check = self._checks[uri] = _Check(text, self._work(opened, text, answers.file_of(uri)))
        await asyncio.wait([check.found])
        if check.found.cancelled():
            return None
        seen = answers.Seen(uri, check.found.result(), self.workspace.position_encoding)
        return seen if self._is_current(seen) else None

    def _is_current(self, seen: answers.Seen) -> bool:
        document = self._document(seen.uri)
        return document is not None and document.source == seen.blueprint.text


def _is_blueprint(document: TextDocument) -> bool:
    return answers.file_of(document.uri).name not in OTHERS and is_blueprint(document.source)


def serve() -> None:
    """Answer an editor over standard input and output, until it says that it is done."""
    make().start_io()


def make() -> LanguageServer:
    """The server with everything that it can do."""
    server = _Server()
    completion = lsp.CompletionOptions(trigger_characters=[" ", ":", "-", "{", "[", ","])
    fixed = lsp.CodeActionOptions(code_action_kinds=answers.FIXING)
    for name, handler in (
        (lsp.TEXT_DOCUMENT_DID_OPEN, _changed),
        (lsp.TEXT_DOCUMENT_DID_CHANGE, _typed),
        (lsp.TEXT_DOCUMENT_DID_SAVE, _changed),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, _closed),
    ):
        server.feature(name)(partial(_kept, handler, server))
    for name, work, options in (
        (lsp.TEXT_DOCUMENT_COMPLETION, answers.completion, completion),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, answers.actions, fixed),
        (lsp.TEXT_DOCUMENT_HOVER, answers.hover, None),
        (lsp.TEXT_DOCUMENT_DEFINITION, answers.definition, None),
        (lsp.TEXT_DOCUMENT_REFERENCES, answers.references, None),
        (lsp.TEXT_DOCUMENT_PREPARE_RENAME, answers.renamable, None),
        (lsp.TEXT_DOCUMENT_RENAME, answers.renamed, lsp.RenameOptions(prepare_provider=True)),
        (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, answers.symbols, None),
        (lsp.TEXT_DOCUMENT_INLAY_HINT, answers.hints, None),
        (lsp.TEXT_DOCUMENT_FORMATTING, answers.formatted, None),
    ):
        server.feature(name, options)(partial(_kept, server.answer, work))
    return server


async def _kept(handler: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """Run a handler; if it fails, editors are told in one line, and the log has the rest."""
    try:
        return await handler(*arguments)
    except Exception as error:  # noqa: BLE001 - the border: nothing gets past it but in words
        _log.exception("please report this")
        raise JsonRpcException(f"clusterprint failed: {type(error).__name__}: {mask(str(error))}") from None


# ---- what is told


async def _changed(server: _Server, params: Any) -> None:
    await server.publish(params.text_document.uri)


async def _typed(server: _Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """Look at a text once nothing more comes: of many keys at once, only the last is worth it."""
    await asyncio.sleep(_PAUSE)
    if server.is_version(params):
        await server.publish(params.text_document.uri)


async def _closed(server: _Server, params: lsp.DidCloseTextDocumentParams) -> None:
    server.close(params.text_document.uri)
