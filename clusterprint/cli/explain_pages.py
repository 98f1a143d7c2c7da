"""Pages that `clusterprint explain` prints."""

import textwrap
from collections.abc import Iterable, Sequence

from clusterprint import rules
from clusterprint.cli.explain_topics import Group
from clusterprint.describe import Field, allowed, example_in_place, facts, first_sentence
from clusterprint.explanation import Explanation

WIDTH = 100
_INDENT = "  "


def index(kinds: Iterable[Field], groups: Iterable[Group]) -> str:
    """All kinds and all problems."""
    parts = [
        "Kinds of clusters, more with `clusterprint explain KIND`, and `clusterprint explain KIND.KEY`:",
        columns([(kind.name, kind.description) for kind in kinds]),
        "Problems, more with `clusterprint explain CODE`:",
    ]
    for group in groups:
        rows = [(topic.code, topic.severity.value, topic.title) for topic in group.topics]
        parts.append(f"{group.title}\n{columns(rows)}")
    return "\n\n".join(parts)


def of_topic(topic: Explanation) -> str:
    """Everything about a problem."""
    about = [
        ("severity", topic.severity.value),
        ("name", topic.name),
        ("source", topic.source),
        ("ignore", ignoring(topic)),
    ]
    return "\n\n".join([*map(fill, (f"{topic.code}: {topic.title}", topic.why, topic.help)), columns(about)])


def ignoring(topic: Explanation) -> str:
    """Whether a problem can be ignored, and how."""
    if topic.code in rules.soft_codes():
        return f"write `# clusterprint: ignore[{topic.code}] reason` on its line or the line above"
    return "cannot be ignored"


def of_field(field: Field) -> str:
    """Everything about a kind or a key."""
    parts = [field.name, fill(field.description), columns(facts(field))]
    if values := allowed(field.schema):
        parts.append(f"Allowed values:\n{columns(values)}")
    if keys := field.keys:
        rows = [
            (f"{key.key} (required)" if key.required else key.key, first_sentence(key.description))
            for key in keys
        ]
        parts.append(f"Keys{' of each item' if 'items' in field.schema else ''}:\n{columns(rows)}")
    parts.append(f"Example:\n{textwrap.indent(example_in_place(field), _INDENT)}")
    return "\n\n".join(parts)


def columns(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows with aligned cells; the last one is wrapped."""
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    lines = []
    for *cells, last in rows:
        start = _INDENT + "".join(
            f"{cell:<{width}}{_INDENT}" for cell, width in zip(cells, widths, strict=True)
        )
        lines.append(fill(last, start).rstrip())
    return "\n".join(lines)


def fill(text: str, start: str = "") -> str:
    """A text after `start`, wrapped, with all lines below its own beginning."""
    return (
        textwrap.fill(
            text,
            WIDTH,
            initial_indent=start,
            subsequent_indent=" " * len(start),
            break_long_words=False,
            break_on_hyphens=False,
        )
        or start
    )
