"""The language server: what the other modules know, in the words of the protocol. The only user of pygls."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from clusterprint import __version__
from clusterprint.diagnostic import Diagnostic, Severity, Span
from clusterprint.editor import complete, look, mending
from clusterprint.editor.opened import Opened, is_blueprint, opened
from clusterprint.find import OTHERS

_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
_SORT = {
    "key": lsp.CompletionItemKind.Property,
    "word": lsp.CompletionItemKind.EnumMember,
    "machine": lsp.CompletionItemKind.Class,
    "place": lsp.CompletionItemKind.Constant,
    "name": lsp.CompletionItemKind.Reference,
    "value": lsp.CompletionItemKind.Value,
}
# Seconds; shorter than anybody notices, longer than between keys that are held.
_PAUSE = 0.03
_MENDING = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]


class _Server(LanguageServer):
    """A server that remembers what it found in the last version of each file."""

    def __init__(self) -> None:
        super().__init__(
            "clusterprint", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental
        )
        self.known: dict[str, Opened] = {}

    def look_at(self, uri: str) -> tuple[TextDocument, Opened | None]:
        """A file, and what is known about its text; None for what is no blueprint."""
        document = self.workspace.get_text_document(uri)
        text, file = document.source, file_of(uri)
        if file.name in OTHERS or not is_blueprint(text):
            self.known.pop(uri, None)
            return document, None
        known = self.known.get(uri)
        if known is None or known.text != text:
            known = self.known[uri] = opened(text, file)
        return document, known

    def publish(self, uri: str) -> None:
        """Tell the editor what is wrong with a file."""
        document, blueprint = self.look_at(uri)
        # An empty file is only about to become a blueprint.
        found = blueprint.diagnostics if blueprint and blueprint.text.strip() else ()
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                uri, [_diagnostic(document, each) for each in found], document.version
            )
        )


def file_of(uri: str) -> Path:
    """The file of a document; one that was never saved lies in the current folder."""
    parts = urlparse(uri)
    if parts.scheme != "file":
        return Path("untitled.yaml")
    path = unquote(parts.path)
    # `/c:/blueprints/a.yaml`, as Windows has it.
    return Path(path[1:] if path[2:3] == ":" else path)


def serve() -> None:
    """Answer an editor over standard input and output, until it says that it is done."""
    make().start_io()


def make() -> LanguageServer:
    """The server with everything that it can do."""
    server = _Server()
    for name, handler in (
        (lsp.TEXT_DOCUMENT_DID_OPEN, _changed),
        (lsp.TEXT_DOCUMENT_DID_CHANGE, _typed),
        (lsp.TEXT_DOCUMENT_DID_SAVE, _changed),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, _closed),
        (lsp.TEXT_DOCUMENT_HOVER, _hover),
        (lsp.TEXT_DOCUMENT_DEFINITION, _definition),
        (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _symbols),
        (lsp.TEXT_DOCUMENT_INLAY_HINT, _hints),
        (lsp.TEXT_DOCUMENT_FORMATTING, _formatted),
    ):
        server.feature(name)(partial(handler, server))
    triggers = lsp.CompletionOptions(trigger_characters=[" ", ":", "-", "{", "[", ","])
    server.feature(lsp.TEXT_DOCUMENT_COMPLETION, triggers)(partial(_completion, server))
    options = lsp.CodeActionOptions(code_action_kinds=_MENDING)
    server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)(partial(_actions, server))
    return server


# ---- places


def _range(document: TextDocument, span: Span) -> lsp.Range:
    """A span in what the editor counts in."""
    whole = lsp.Range(
        lsp.Position(span.line - 1, span.column - 1), lsp.Position(span.end_line - 1, span.end_column - 1)
    )
    return document.position_codec.range_to_client_units(document.lines, whole)


def _between(document: TextDocument, start: int, stop: int) -> lsp.Range:
    """Two positions of the text in what the editor counts in."""
    places = []
    for index in (start, stop):
        before = document.source[:index]
        line = before.count("\n")
        places.append(lsp.Position(line, index - (before.rfind("\n") + 1)))
    return document.position_codec.range_to_client_units(document.lines, lsp.Range(*places))


def _at(document: TextDocument, position: lsp.Position) -> tuple[int, int]:
    if position.line >= len(document.lines):
        return position.line, 0  # below the last line break there is nothing to count
    place = document.position_codec.position_from_client_units(document.lines, position)
    return place.line, place.character


def _diagnostic(document: TextDocument, found: Diagnostic) -> lsp.Diagnostic:
    span = found.place.span or Span(1, 1, 1, 1)
    also = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(document.uri, _range(document, each.span)), each.text or "takes part in it"
        )
        for each in found.also
        if each.span and each.file == found.place.file
    ]
    return lsp.Diagnostic(
        range=_range(document, span),
        message=f"{found.message}\n{found.help}" if found.help else found.message,
        severity=_SEVERITY[found.severity],
        code=found.code,
        source="clusterprint",
        related_information=also,
    )


# ---- answers


def _changed(server: _Server, params: Any) -> None:
    server.publish(params.text_document.uri)


async def _typed(server: _Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """Look at a text once nothing more comes: of many keys at once, only the last is worth it."""
    await asyncio.sleep(_PAUSE)
    known = server.workspace.get_text_document(params.text_document.uri)
    if known.version == params.text_document.version:
        server.publish(params.text_document.uri)


def _closed(server: _Server, params: lsp.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    server.known.pop(uri, None)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def _completion(server: _Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    document, blueprint = server.look_at(params.text_document.uri)
    if blueprint is None:
        return lsp.CompletionList(is_incomplete=False, items=[])
    line, column = _at(document, params.position)
    found = complete.complete(blueprint, line, column)
    start = lsp.Position(line, column - len(found.word))
    if line < len(document.lines):
        start = document.position_codec.position_to_client_units(document.lines, start)
    replaced = lsp.Range(start, params.position)
    items = [
        lsp.CompletionItem(
            label=each.label,
            kind=_SORT[each.sort],
            detail=each.detail or None,
            documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, each.about) if each.about else None,
            sort_text=f"{each.order:05}{each.label}",
            filter_text=each.label,
            text_edit=lsp.TextEdit(replaced, each.text),
            insert_text_mode=lsp.InsertTextMode.AsIs,
        )
        for each in found.choices
    ]
    return lsp.CompletionList(is_incomplete=False, items=items)


def _hover(server: _Server, params: lsp.HoverParams) -> lsp.Hover | None:
    document, blueprint = server.look_at(params.text_document.uri)
    found = look.hover(blueprint, *_at(document, params.position)) if blueprint else None
    if found is None:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown)
    return lsp.Hover(content, _range(document, found.span))


def _definition(server: _Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    document, blueprint = server.look_at(params.text_document.uri)
    found = look.definition(blueprint, *_at(document, params.position)) if blueprint else None
    return lsp.Location(document.uri, _range(document, found)) if found else None


def _symbols(server: _Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    document, blueprint = server.look_at(params.text_document.uri)
    return [_symbol(document, each) for each in look.symbols(blueprint)] if blueprint else []


def _symbol(document: TextDocument, found: look.Symbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=found.name,
        detail=found.detail or None,
        kind=lsp.SymbolKind.Object if found.below else lsp.SymbolKind.Property,
        range=_range(document, found.whole),
        selection_range=_range(document, found.own),
        children=[_symbol(document, each) for each in found.below],
    )


def _hints(server: _Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    document, blueprint = server.look_at(params.text_document.uri)
    first, last = params.range.start.line, params.range.end.line
    found = look.hints(blueprint) if blueprint else []
    return [
        lsp.InlayHint(
            document.position_codec.position_to_client_units(
                document.lines, lsp.Position(each.line, each.column)
            ),
            each.text,
            padding_left=True,
        )
        for each in found
        if first <= each.line <= last
    ]


def _formatted(server: _Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    document, blueprint = server.look_at(params.text_document.uri)
    made = mending.laid_out(blueprint, file_of(document.uri)) if blueprint else document.source
    if made == document.source:
        return []
    return [lsp.TextEdit(_between(document, 0, len(document.source)), made)]


def _actions(server: _Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    document, blueprint = server.look_at(params.text_document.uri)
    if blueprint is None:
        return []
    wanted = params.context.only or _MENDING
    made = []
    if lsp.CodeActionKind.QuickFix in wanted:
        found = mending.actions(blueprint, params.range.start.line, params.range.end.line)
        made += [_action(document, each, lsp.CodeActionKind.QuickFix) for each in found]
    if any(str(lsp.CodeActionKind.SourceFixAll.value).startswith(_value(each)) for each in wanted):
        whole = mending.fix_all(blueprint, file_of(document.uri))
        made += [_action(document, whole, lsp.CodeActionKind.SourceFixAll)] if whole else []
    return made


def _value(kind: lsp.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, lsp.CodeActionKind) else kind


def _action(document: TextDocument, found: mending.Action, kind: lsp.CodeActionKind) -> lsp.CodeAction:
    change = found.change
    edit = lsp.TextEdit(_between(document, change.start, change.stop), change.text)
    return lsp.CodeAction(
        title=found.title,
        kind=kind,
        diagnostics=[_diagnostic(document, found.about)] if found.about else None,
        is_preferred=found.preferred or None,
        edit=lsp.WorkspaceEdit(changes={document.uri: [edit]}),
    )
