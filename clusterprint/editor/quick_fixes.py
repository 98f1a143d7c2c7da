"""Fixes that an editor can apply: edits for a problem, missing keys, comments that ignore."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint import rules
from clusterprint.describe import example, yaml_inline
from clusterprint.diagnostic import Diagnostic
from clusterprint.document import Document, Place
from clusterprint.editor.open_file import Opened
from clusterprint.edits import first_in
from clusterprint.files.inside import root_of
from clusterprint.find import IN_BRACKETS
from clusterprint.fixes import Edit, edits_of, fix
from clusterprint.fmt import layout
from clusterprint.load import load_text
from clusterprint.validate.codes import MISSING_KEY
from clusterprint.validate.schema import missing_keys

# Characters of a text that can be fixed as a whole: editors ask for that with each move of the cursor, and
# every fix is validated. The largest of our own blueprints has a fifth of them.
_LARGEST = 30_000


class Change(NamedTuple):
    """Another text between two positions, counted in characters of the whole text."""

    start: int
    stop: int
    text: str


class Action(NamedTuple):
    """Something that an editor offers to do about a problem, or about the whole blueprint."""

    title: str
    change: Change
    about: Diagnostic | None
    preferred: bool = False


def actions(blueprint: Opened, first: int, last: int) -> list[Action]:
    """The fixes for the problems on some lines."""
    near = [
        each
        for each in blueprint.diagnostics
        if (span := each.place.span) is not None and first <= span.end_line - 1 and span.line - 1 <= last
    ]
    found = [_edit(each) for each in edits_of(blueprint.text, near)]
    found += _missing(blueprint, near)
    found += [made for each in near if (made := _ignore(blueprint, each)) is not None]
    # Of several missing keys of a map, each problem offers all.
    return list({(each.title, each.change): each for each in found}.values())


def fix_all(blueprint: Opened, file: Path) -> Action | None:
    """All that `lint --fix` would do; None if that is nothing, or would take seconds."""
    if len(blueprint.text) > _LARGEST or all(each.instead is None for each in blueprint.diagnostics):
        return None
    fixed = fix(blueprint.text, str(file), file, root_of(file))
    if not fixed.done:
        return None
    whole = Change(0, len(blueprint.text), fixed.text)
    return Action("Apply all unambiguous fixes", whole, None)


def _edit(edit: Edit) -> Action:
    title = f"Write {edit.text}" if edit.text else "Remove the comment"
    if edit.about.removes:
        title = f"Remove {edit.about.removes}"
    elif edit.about.over:
        title = f"Rewrite {edit.about.message.removeprefix('unknown key ')}"
    return Action(title, Change(edit.start, edit.stop, edit.text), edit.about, preferred=True)


def _missing(blueprint: Opened, near: Sequence[Diagnostic]) -> Iterator[Action]:
    document = blueprint.document
    lacking = {each.place.span: each for each in near if each.code == MISSING_KEY.code}
    if not lacking or document is None or not blueprint.kind:  # of a misspelt kind, it is a guess
        return
    for place, key, schema in missing_keys(document, blueprint.kind):
        about = lacking.get(document.key_label(place).span)
        change = about and _inserted(blueprint, document, place, f"{key}: {yaml_inline(example(schema))}")
        if change:
            yield Action(f"Add {key}", change, about, preferred=True)


def _inserted(blueprint: Opened, document: Document, place: Place, text: str) -> Change | None:
    """Where a further key of a map goes: before its first key, or at the end of the blueprint."""
    if not place and not IN_BRACKETS.match(blueprint.text):
        end = len(blueprint.text.rstrip())
        return Change(end, end, f"\n{text}")
    edit = first_in(document, place, text)
    return Change(*edit) if edit else None


def _ignore(blueprint: Opened, about: Diagnostic) -> Action | None:
    span = about.place.span
    if span is None or about.code not in rules.soft_codes():
        return None
    line, start = blueprint.lines[span.line - 1], blueprint.starts[span.line - 1]
    indent = line[: len(line) - len(line.lstrip())]
    comment = f"{indent}# clusterprint: ignore[{about.code}] say here why this is accepted\n"
    return Action(f"Ignore {about.code}, with a reason", Change(start, start, comment), about)


def laid_out(blueprint: Opened, file: Path) -> str:
    """The text as `fmt` would write it; as it is while it cannot be read."""
    return layout(load_text(blueprint.text.encode("utf-8", "surrogatepass"), str(file), file.parent))
