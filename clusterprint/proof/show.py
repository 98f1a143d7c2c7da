"""Evidence as a table: text, Markdown, HTML or data."""

import html
import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from clusterprint.proof.envelope import named
from clusterprint.proof.judge import Verdict
from clusterprint.render.visible import visible

_TITLES = ("Trial", "Result", "Where", "When", "clusterprint", "Provider", "Cost", "Signed by", "Steps")


def rows(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, ...]]:
    """One row for each file that can be read, the newest first."""
    known = [(each.sealed.statement.predicate, each) for each in verdicts if each.sealed]
    for evidence, verdict in sorted(known, key=lambda each: each[0].ended, reverse=True):
        providers = (f"{name.rpartition('/')[2]} {of}" for name, of in evidence.versions.providers.items())
        steps = (f"{each.name.replace('_', ' ')} {each.result.replace('_', ' ')}" for each in evidence.steps)
        yield tuple(
            visible(cell)
            for cell in (
                evidence.trial,
                evidence.result if not verdict.problems else f"refused: {verdict.problems[0]}",
                evidence.world,
                f"{evidence.ended:%Y-%m-%d}",
                evidence.versions.clusterprint,
                ", ".join(providers),
                f"{evidence.cost.usd_estimated:,.2f} USD",
                named(verdict.signer) if verdict.signer else "nobody known",
                "; ".join(steps),
            )
        )


def text(verdicts: Sequence[Verdict]) -> str:
    """One paragraph per trial."""
    parts = []
    for row in rows(verdicts):
        head, *rest = zip(_TITLES, row, strict=True)
        parts.append("\n".join([head[1], *(f"  {title.lower()}: {cell}" for title, cell in rest)]))
    return "\n\n".join([*parts, *_unreadable(verdicts)])


def markdown(verdicts: Sequence[Verdict]) -> str:
    """A table of Markdown, and what could not be read below it."""

    def cell(value: str) -> str:
        kept = html.escape(value, quote=False)
        return "".join(f"\\{each}" if each in r"\`*_[]|~" else each for each in kept)

    lines = [_TITLES, ("---",) * len(_TITLES), *(tuple(map(cell, row)) for row in rows(verdicts))]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join([table, *map(cell, _unreadable(verdicts))])


def page(verdicts: Sequence[Verdict]) -> str:
    """A page of HTML that needs nothing else."""

    def line(cells: Sequence[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(each)}</{tag}>' for each in cells)}</tr>"

    below = "".join(f"<p>{html.escape(each)}</p>" for each in _unreadable(verdicts))
    body = "\n".join([line(_TITLES, "th"), *(line(row, "td") for row in rows(verdicts))])
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>Evidence</title>"
        "<style>body{font:1em sans-serif}td,th{border:1px solid;padding:.3em;text-align:left}"
        f"table{{border-collapse:collapse}}</style>\n<table>\n{body}\n</table>{below}</html>"
    )


def _unreadable(verdicts: Sequence[Verdict]) -> list[str]:
    return [visible(f"{each.file.name}: {each.problems[0]}") for each in verdicts if not each.sealed]


def data(verdicts: Sequence[Verdict]) -> str:
    """JSON, as `evidence verify --format json` prints it."""
    found: list[dict[str, Any]] = [
        {
            "file": str(each.file),
            "valid": not each.problems,
            "signer": each.signer,
            "problems": list(each.problems),
            "notes": list(each.notes),
            "statement": msgspec.to_builtins(each.sealed.statement) if each.sealed else None,
        }
        for each in verdicts
    ]
    return json.dumps({"evidence": found}, indent=2, ensure_ascii=False)
