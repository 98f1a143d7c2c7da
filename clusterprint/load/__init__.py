"""Step 1: a file becomes a Document, with the place of every key and value.

The straight line through this folder: `files` reads bytes, `texts` makes text of them, `events` scans
it, `compose` (with `maps` and `scalars`) makes nodes, `expand` makes plain data; `ignores` reads the
comments. `syntax/` explains what is not YAML.
"""

from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.error import MarkedYAMLError

from clusterprint.diagnostic import Diagnostic, Span
from clusterprint.document import Document
from clusterprint.files.inside import root_of
from clusterprint.load.codes import DIRECTIVE, NOT_A_MAPPING, TAG
from clusterprint.load.compose import Composer
from clusterprint.load.defaults import DEFAULTS, files_above, lay_under, without
from clusterprint.load.events import Events
from clusterprint.load.expand import expand
from clusterprint.load.files import check_size, read_bytes
from clusterprint.load.foreign import is_terraform, of_another_tool
from clusterprint.load.ignores import find_ignores
from clusterprint.load.nodes import ListNode, MapNode, Node
from clusterprint.load.problem import Problem, Refused, short
from clusterprint.load.syntax import explain
from clusterprint.load.texts import decode, decode_for_display


class Loaded(NamedTuple):
    """The result of loading a file.

    `document` is None when nothing in it can be checked. `text` is for showing lines of the file, also
    then. `name` is said of a file of defaults that cannot be read.
    """

    document: Document | None
    diagnostics: list[Diagnostic]
    text: str = ""
    name: str = ""


def with_defaults(loaded: Loaded, path: Path, name: str, root: Path) -> tuple[Loaded, list[Loaded]]:
    """A blueprint with the defaults beside and above it, and those, each as it was read.

    `path` is where it is, `name` what messages call it; nothing outside of `root` is read.
    """
    if loaded.document is None:
        return loaded, []
    files = files_above(path, name, root)
    found = [load(each.path, each.name, root) for each in files]
    problems = [problem for each in found for problem in each.diagnostics]
    laid = lay_under(loaded.document, [each.document for each in found if each.document is not None])
    document = laid.document
    if any(each.document is None for each in found):
        document = without(document)
    known = [
        each if each.document else Loaded(None, each.diagnostics, each.text, file.name)
        for each, file in zip(found, files, strict=True)
    ]
    return loaded._replace(
        document=document, diagnostics=[*loaded.diagnostics, *problems, *laid.diagnostics]
    ), known


def load(path: Path, name: str | None = None, root: Path | None = None) -> Loaded:
    """Read a file. Whatever is wrong with it is in the diagnostics; never raises.

    `name` is what messages call it, by default the path. Nothing outside of `root` is read: by default the
    repository around the file.
    """
    shown = _printable(name if name is not None else str(path))
    try:
        raw = read_bytes(path, root_of(path) if root is None else root)
    except Refused as refused:
        return Loaded(None, [refused.problem.diagnostic(shown)])
    return load_text(raw, shown, path.parent)


def load_text(raw: bytes, name: str, folder: Path, *, foreign: bool = False) -> Loaded:
    """Read a blueprint from bytes (`-` is the name of standard input); paths in it start at `folder`.

    `foreign`: it may as well have been written for another tool.
    """
    try:
        check_size(len(raw))
    except Refused as refused:
        return Loaded(None, [refused.problem.diagnostic(name)])
    try:
        text = decode(raw)
    except Refused as refused:
        return Loaded(None, [refused.problem.diagnostic(name)], decode_for_display(raw))
    events = Events(text)
    composer = Composer(events)
    try:
        root = composer.document()
    except Refused as refused:
        return Loaded(None, [refused.problem.diagnostic(name)], text)
    except MarkedYAMLError as error:
        problem = is_terraform(text) or explain(error, events)
        return Loaded(None, [problem.diagnostic(name)], text)
    if not isinstance(root, MapNode):
        problem = is_terraform(text) or _not_a_mapping(root)
        return Loaded(None, [problem.diagnostic(name)], text)
    return _loaded(root, composer, name, folder, foreign=foreign)


def _loaded(root: MapNode, composer: Composer, name: str, folder: Path, *, foreign: bool) -> Loaded:
    events = composer.events
    expanded = expand(root)
    is_ours = foreign or Path(name).name == DEFAULTS  # whose keys may be those of another tool
    other = None if is_ours else of_another_tool(expanded.data, expanded.written[()].key)
    if other is not None:
        return Loaded(None, [other.diagnostic(name)], events.text)
    ignores = find_ignores(events.text, events.comments)
    problems = [*_beside_the_data(events), *composer.problems, *ignores.problems]
    document = Document(
        name, folder, events.text, expanded.data, expanded.written, ignores.ignores, expanded.broken
    )
    diagnostics = sorted((problem.diagnostic(name) for problem in problems), key=lambda found: found.order)
    return Loaded(document, diagnostics, events.text)


def _beside_the_data(events: Events) -> list[Problem]:
    """Problems with tags and directives; a directive for YAML 1.2 says what is so anyway."""
    problems = []
    for text, span in events.tags:
        message = f"`{short(text)}` is a tag, and blueprints do not use tags"
        help_text = "remove it; to have a number as text, put it in quotes"
        problems.append(Problem(TAG, message, span, help_text))
    for text, span in events.directives:
        if text.split()[:2] != ["%YAML", "1.2"]:
            directive = text.partition(" #")[0].strip()
            message = f"`{short(directive)}` changes how YAML is read; blueprints are always YAML 1.2"
            problems.append(Problem(DIRECTIVE, message, span, "remove the line"))
    return problems


def _not_a_mapping(root: Node) -> Problem:
    start = root.span
    what = "a list" if isinstance(root, ListNode) else "text or a single value"
    return Problem(
        NOT_A_MAPPING,
        f"a blueprint is made of `key: value` lines, and this is {what}",
        Span(start.line, start.column, start.line, start.column + 1),
        "start with `clusterprint: v1` and `kind: vm`",
    )


def _printable(name: str) -> str:
    """A file name that can be printed: bytes that are not UTF-8 as escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
