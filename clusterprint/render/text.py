"""Diagnostics for people, in the style of modern compilers.

error[GCP012]: nodes are spot and also name a reservation
  --> both.yaml:11:12
   |
11 |     model: spot
   |            ^^^^
12 |     reservation: mine
   |                  ---- reservation named here
   = help: remove one of the two
"""

import re
from collections.abc import Mapping, Sequence

import click

from clusterprint.diagnostic import Diagnostic, Label, Severity
from clusterprint.render.excerpt import Excerpt, Mark, clipped, excerpts
from clusterprint.render.visible import visible
from clusterprint.words import counted

_LINE_END = re.compile("\r\n|\r|\n")
_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "green"}
_QUIET = "blue"


def render(diagnostics: Sequence[Diagnostic], sources: Mapping[str, str], *, color: bool = False) -> str:
    """A block for each diagnostic, with a blank line between; empty for none, else ends with a line end.

    `sources` is the text of each file by its name; a file that is not in it is named without an excerpt.
    """
    lines = {file: _LINE_END.split(sources[file]) for file in {*_files(diagnostics)} & sources.keys()}
    return "\n".join(_Block(diagnostic, lines, color=color).text() for diagnostic in diagnostics)


def summary(  # noqa: PLR0913 - the counts of a run
    files: int, errors: int, warnings: int, notes: int = 0, *, noun: str = "blueprint", color: bool = False
) -> str:
    """One line on the whole run: `3 blueprints checked: 2 errors, 1 warning`."""
    problems = {"error": errors, "warning": warnings}
    found = [counted(number, noun) for noun, number in problems.items() if number] or ["no problems"]
    found += [counted(notes, "note")] if notes else []
    line = f"{counted(files, noun, 'policies' if noun == 'policy' else '')} checked: {', '.join(found)}"
    paint = "red" if errors else "yellow" if warnings else "green"
    return click.style(line, fg=paint, bold=True) if color else line


def _files(diagnostics: Sequence[Diagnostic]) -> list[str]:
    return [label.file for found in diagnostics for label in (found.place, *found.also)]


class _Block:
    """The lines about one diagnostic."""

    def __init__(self, diagnostic: Diagnostic, lines: Mapping[str, list[str]], *, color: bool) -> None:
        self.diagnostic = diagnostic
        self.lines = lines
        self.color = color
        spans = [label.span for label in (diagnostic.place, *diagnostic.also) if label.span]
        self.gutter = max([2, *(len(str(span.line)) for span in spans)])

    def text(self) -> str:
        """All lines, each with its end."""
        found = self.diagnostic
        head = self._paint(f"{found.severity.value}[{found.code}]", _COLORS[found.severity])
        rows = [f"{head}{self._paint(f': {visible(found.message)}', None)}"]
        rows += self._file("-->", found.place.file, [found.place, *_in(found.place.file, found.also)])
        others = dict.fromkeys(label.file for label in found.also if label.file != found.place.file)
        for file in others:
            rows += self._file(":::", file, _in(file, found.also))
        if found.help:
            rows.append(self._note("help", found.help))
        return "".join(f"{row.rstrip()}\n" for row in rows)

    def _file(self, arrow: str, file: str, labels: list[Label]) -> list[str]:
        """A file's name, and its lines with marks."""
        first = labels[0].span
        where = visible(file) + (f":{first.line}:{first.column}" if first else "")
        rows = [f"{' ' * self.gutter}{self._paint(arrow, _QUIET)} {where}"]
        lines = self.lines.get(file, [])
        marks: dict[int, list[Mark]] = {}
        loose: list[Label] = []
        for label in labels:
            if label.span is None or label.span.line > len(lines):
                loose.append(label)
            else:
                sign = "^" if label is self.diagnostic.place else "-"
                marks.setdefault(label.span.line, []).append(Mark(label.span, sign, label.text))
        rows += self._marked(lines, marks)
        for label in loose:
            if label.text:
                at = f" ({visible(file)}:{label.span.line}:{label.span.column})" if label.span else ""
                rows.append(self._note("note", f"{label.text}{at}"))
        return rows

    def _marked(self, lines: list[str], marks: dict[int, list[Mark]]) -> list[str]:
        rows = [self._bar()] if marks else []
        before = None
        for number in sorted(marks):
            if before is not None and number == before + 2:
                # One line between two takes no more room than saying that it is left out.
                rows.append(f"{self._number(before + 1)}{clipped(lines[before])}")
            elif before is not None and number > before + 1:
                rows.append(self._paint("...", _QUIET))
            for part in excerpts(lines[number - 1], marks[number]):
                rows += self._excerpt(number, part)
            before = number
        return rows

    def _excerpt(self, number: int, part: Excerpt) -> list[str]:
        rows = [f"{self._number(number)}{part.line}"]
        for indent, mark, length in part.rows:
            paint = _COLORS[self.diagnostic.severity] if mark.sign == "^" else _QUIET
            words = f"{mark.sign * length} {visible(mark.text)}".rstrip()
            rows.append(f"{self._bar()} {' ' * indent}{self._paint(words, paint)}")
        return rows

    def _number(self, number: int) -> str:
        return self._paint(f"{number:>{self.gutter}} |", _QUIET) + " "

    def _bar(self) -> str:
        return self._paint(f"{' ' * self.gutter} |", _QUIET)

    def _note(self, kind: str, text: str) -> str:
        return (
            f"{' ' * self.gutter} {self._paint('=', _QUIET)} {self._paint(f'{kind}:', None)} {visible(text)}"
        )

    def _paint(self, text: str, color: str | None) -> str:
        return click.style(text, fg=color, bold=True) if self.color else text


def _in(file: str, labels: Sequence[Label]) -> list[Label]:
    return [label for label in labels if label.file == file]
