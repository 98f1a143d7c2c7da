"""Answers of the other modules, in the words of the Language Server Protocol."""

from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp

from clusterprint.describe import yaml_inline
from clusterprint.diagnostic import Diagnostic, Severity, Span
from clusterprint.editor import at_position, complete, quick_fixes
from clusterprint.editor.open_file import Opened
from clusterprint.editor.places import Places
from clusterprint.validate import in_order
from clusterprint.words import counted

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
#: Problems of one file that are shown. Nobody reads so many, and editors show no more.
MOST_PROBLEMS = 1000
FIXING = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
_TOP = Span(1, 1, 1, 1)


class Seen(NamedTuple):
    """A document that is a blueprint, as a request finds it: what is known about its text."""

    uri: str
    blueprint: Opened
    encoding: str | None

    @property
    def places(self) -> Places:
        """Its places as the editor counts."""
        return Places(self.blueprint, self.encoding)


def file_of(uri: str) -> Path:
    """The file of a document; one that was never saved lies in the current folder."""
    parts = urlparse(uri)
    path = unquote(parts.path)
    if parts.scheme != "file" or "\0" in path:
        return Path("untitled.yaml")
    # `/c:/blueprints/a.yaml`, as Windows has it.
    return Path(path[1:] if path[2:3] == ":" else path)


def diagnostics(seen: Seen) -> list[lsp.Diagnostic]:
    """The diagnostics in the order of the text, only the worst if there are too many."""
    worst = sorted(seen.blueprint.diagnostics, key=lambda each: each.severity is not Severity.ERROR)
    shown = in_order(worst[:MOST_PROBLEMS])
    made = [_diagnostic(seen, each) for each in shown]
    if left := len(worst) - len(shown):
        message = f"{counted(left, 'more problem')}: `clusterprint validate` shows all"
        made.append(lsp.Diagnostic(seen.places.range(_TOP), message, lsp.DiagnosticSeverity.Error))
    return made


def _diagnostic(seen: Seen, found: Diagnostic) -> lsp.Diagnostic:
    also = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(seen.uri, seen.places.range(each.span)), each.text or "takes part in it"
        )
        for each in found.also
        if each.span and each.file == found.place.file
    ]
    return lsp.Diagnostic(
        range=seen.places.range(found.place.span or _TOP),
        message=f"{found.message}\n{found.help}" if found.help else found.message,
        severity=_SEVERITY[found.severity],
        code=found.code,
        source="clusterprint",
        related_information=also,
    )


# ---- answers


def completion(seen: Seen, params: lsp.CompletionParams) -> lsp.CompletionList:
    """The completions for a position."""
    line, column = seen.places.read(params.position)
    found = complete.complete(seen.blueprint, line, column)
    replaced = lsp.Range(
        seen.places.position(line, column - len(found.word)), seen.places.position(line, column)
    )
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


def hover(seen: Seen, params: lsp.HoverParams) -> lsp.Hover | None:
    """The hover text for a position."""
    found = at_position.hover(seen.blueprint, *seen.places.read(params.position))
    if found is None:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown)
    return lsp.Hover(content, seen.places.range(found.span))


def definition(seen: Seen, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Where the thing stands that a value names."""
    found = at_position.definition(seen.blueprint, *seen.places.read(params.position))
    return lsp.Location(seen.uri, seen.places.range(found)) if found else None


def references(seen: Seen, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """Where the name at a position is used."""
    uses = at_position.named_at(seen.blueprint, *seen.places.read(params.position))
    if uses is None:
        return []
    spans = [*([uses.definition] if params.context.include_declaration else []), *uses.references]
    return [lsp.Location(seen.uri, seen.places.range(each)) for each in spans]


def renamable(seen: Seen, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """The name at a position; None where nothing can be renamed."""
    uses = at_position.named_at(seen.blueprint, *seen.places.read(params.position))
    return seen.places.range(uses.here) if uses else None


def renamed(seen: Seen, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """Another name for the item at a position, wherever it is used."""
    uses = at_position.named_at(seen.blueprint, *seen.places.read(params.position))
    if uses is None:
        return None
    text = yaml_inline(params.new_name)
    edits = [lsp.TextEdit(seen.places.range(each), text) for each in (uses.definition, *uses.references)]
    return lsp.WorkspaceEdit(changes={seen.uri: edits})


def symbols(seen: Seen, _: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """The keys and named items."""
    return [_symbol(seen, each) for each in at_position.symbols(seen.blueprint)]


def _symbol(seen: Seen, found: at_position.Symbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=found.name,
        detail=found.detail or None,
        kind=lsp.SymbolKind.Object if found.below else lsp.SymbolKind.Property,
        range=seen.places.range(found.whole),
        selection_range=seen.places.range(found.own),
        children=[_symbol(seen, each) for each in found.below],
    )


def hints(seen: Seen, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """The resolved machines on some lines."""
    first, last = params.range.start.line, params.range.end.line
    return [
        lsp.InlayHint(seen.places.position(each.line, each.column), each.text, padding_left=True)
        for each in at_position.hints(seen.blueprint)
        if first <= each.line <= last
    ]


def formatted(seen: Seen, _: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """The text as `fmt` writes it, if it is another."""
    text = seen.blueprint.text
    made = quick_fixes.laid_out(seen.blueprint, file_of(seen.uri))
    return [] if made == text else [lsp.TextEdit(seen.places.between(0, len(text)), made)]


def actions(seen: Seen, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The fixes for some lines, and for the whole text."""
    wanted = params.context.only or FIXING
    made = []
    if lsp.CodeActionKind.QuickFix in wanted:
        found = quick_fixes.actions(seen.blueprint, params.range.start.line, params.range.end.line)
        made += [_action(seen, each, lsp.CodeActionKind.QuickFix) for each in found[:MOST_PROBLEMS]]
    if any(str(lsp.CodeActionKind.SourceFixAll.value).startswith(_value(each)) for each in wanted):
        whole = quick_fixes.fix_all(seen.blueprint, file_of(seen.uri))
        made += [_action(seen, whole, lsp.CodeActionKind.SourceFixAll)] if whole else []
    return made


def _value(kind: lsp.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, lsp.CodeActionKind) else kind


def _action(seen: Seen, found: quick_fixes.Action, kind: lsp.CodeActionKind) -> lsp.CodeAction:
    change = found.change
    edit = lsp.TextEdit(seen.places.between(change.start, change.stop), change.text)
    return lsp.CodeAction(
        title=found.title,
        kind=kind,
        diagnostics=[_diagnostic(seen, found.about)] if found.about else None,
        is_preferred=found.preferred or None,
        edit=lsp.WorkspaceEdit(changes={seen.uri: [edit]}),
    )
