"""A cluster as a drawing that stands alone: one SVG without a script, for light and dark screens."""

from pathlib import Path

from clusterprint.review.model import Diagram
from clusterprint.review.render.html.diagram import svg
from clusterprint.review.render.html.layout import BROAD
from clusterprint.review.render.html.markup import Markup, tag
from clusterprint.review.render.html.piles import fold
from clusterprint.review.render.html.unnest import unnest

#: Colours, and what boxes and lines look like.
STYLE = Path(__file__).with_name("drawing.css")
_GROUND = "svg { background: var(--page); }"


def drawing(title: str, diagram: Diagram) -> str:
    """The same diagram is always the same text."""
    before = (
        tag("title", title, id="title"),
        tag("desc", _in_words(diagram), id="words"),
        tag("style", Markup(f"{STYLE.read_text('utf-8')}{_GROUND}")),
    )
    made = svg(
        fold(unnest(diagram)),
        BROAD,
        *before,
        xmlns="http://www.w3.org/2000/svg",
        aria_labelledby="title",
        aria_describedby="words",
    )
    return f"{made}\n"


def _in_words(diagram: Diagram) -> str:
    """The same for those who cannot see it."""
    titles = {box.id: box.title for box in diagram.boxes}
    told = []
    for box in diagram.boxes:
        around = f" in {titles[box.inside]}" if box.inside in titles else ""
        lines = f" ({', '.join(box.lines)})" if box.lines else ""
        told.append(f"{box.sort} {box.title}{around}{lines}")
    told += [
        f"{titles[link.start]} - {titles[link.end]}{f': {link.text}' if link.text else ''}"
        for link in diagram.links
    ]
    return "; ".join(told)
