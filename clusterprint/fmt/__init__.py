"""Blueprints in one layout: `layout` gives the text of a file as everybody would write it.

Only the space between words is changed, never a word, so comments, quotes and the order of keys stay as
they are. `pieces` cuts a text into words and the space between them, `columns` says where a line begins,
`gaps` what stands between two words of one line.

`applied` enforces that only whitespace changes, and loads the result to verify that its meaning is unchanged.
(ruamel's own writer folds long values and rewrites `[{a: 1}]`.)
"""

from pathlib import Path

from clusterprint.document import Document
from clusterprint.errors import InternalError
from clusterprint.fmt.gaps import between
from clusterprint.fmt.lines import set_lines
from clusterprint.fmt.pieces import Edit, applied, pieces_of
from clusterprint.load import Loaded, load_text


class MeaningChanged(InternalError):  # noqa: N818 - it is what did not happen
    """The text would not mean the same in another layout."""


def layout(loaded: Loaded) -> str:
    """The text of a blueprint in the one layout; one that cannot be read is given as it is.

    Raises MeaningChanged rather than give a text that says anything else.
    """
    document = loaded.document
    if document is None or loaded.diagnostics:
        return loaded.text
    text = "\n".join(loaded.text.replace("\r\n", "\n").split("\r"))
    pieces = pieces_of(text)
    edits: list[Edit] = [*set_lines(text, pieces), *between(text, pieces)]
    made = applied(text, edits)
    if made == loaded.text:
        return made
    again = load_text(made.encode(), document.file, Path(document.folder))
    if again.document is None or again.diagnostics or _meaning(again.document) != _meaning(document):
        raise MeaningChanged(f"{document.file}: its layout cannot be changed without changing what it means")
    return made


def _meaning(document: Document) -> object:
    """All that a blueprint says: its data, in order, and the lines that its comments speak for."""
    lines = document.text.splitlines()
    ignores = [
        (each.codes, each.reason, [lines[line - 1].split() for line in each.lines])
        for each in document.ignores
    ]
    return repr(document.data), list(document.written), ignores
