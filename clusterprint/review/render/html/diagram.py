"""A cluster as a drawing in SVG, once for screens and once for phones, and the same in words."""

from collections.abc import Iterator

from clusterprint.review.model import Cluster, Diagram
from clusterprint.review.render.html import layout
from clusterprint.review.render.html.connectors import Connector, connect
from clusterprint.review.render.html.labels import SIGNS, status
from clusterprint.review.render.html.layout import BROAD, PADDING, SLIM, Form, Placed
from clusterprint.review.render.html.markup import Markup, join, tag
from clusterprint.review.render.html.measure import KICKER, LABEL, LINE, TEXT, TITLE
from clusterprint.review.render.html.piles import Folded, fold
from clusterprint.review.render.html.unnest import unnest

_NAMES = {"pool": "nodes"}


def figure(cluster: Cluster, anchor: str) -> Markup:
    """The drawing of a cluster, or nothing if there is nothing to draw."""
    diagram = cluster.diagram
    if not diagram.boxes:
        return Markup()
    label = f"{anchor}-drawing"
    folded = fold(unnest(diagram))
    return tag(
        "figure",
        tag("figcaption", f"{cluster.name} as it would be", _legend(diagram), id=label),
        tag("div", svg(folded, BROAD, aria_labelledby=label), class_="broad"),
        tag("div", svg(folded, SLIM, aria_labelledby=label), class_="slim"),
        _in_words(diagram),
        class_="diagram",
    )


def _legend(diagram: Diagram) -> Markup:
    used = {box.status for box in diagram.boxes} | {link.status for link in diagram.links}
    shown = [tag("li", status(name)) for name in SIGNS if name in used]
    return tag("ul", *shown, class_="legend") if shown else Markup()


def svg(folded: Folded, form: Form, *before: Markup, **attributes: str) -> Markup:
    """The drawing itself, with what else stands in it before all boxes."""
    diagram = folded.diagram
    made = layout.arrange(diagram, form)
    wires = connect(diagram.links, made.boxes, form)
    around = {box.inside for box in diagram.boxes}
    outer = (_box(each, folded, "around") for each in made.boxes if each.box.id in around)
    inner = (_box(each, folded) for each in made.boxes if each.box.id not in around)
    return tag(
        "svg",
        *before,
        *outer,
        *map(_curve, wires),
        *inner,
        *(_label(wire) for wire in wires if wire.label),
        viewBox=f"0 0 {made.width:g} {made.height:g}",
        width=made.width,
        height=made.height,
        role="img",
        **attributes,
    )


def _curve(wire: Connector) -> Markup:
    x1, y1, *rest = (f"{each:.1f}" for each in wire.points)
    x2, y2 = rest[-2:]
    kind = f"wire s-{wire.link.status}"
    back = 8 if wire.points[4] > wire.points[6] else -8  # it comes from that side
    return join(
        [
            tag("path", d=f"M{x1} {y1}C{' '.join(rest)}", class_=kind),
            tag("circle", cx=x1, cy=y1, r=3, class_=kind),
            tag("path", d=f"M{x2} {y2}l{back} -4v8z", class_=f"{kind} head"),
        ]
    )


def _label(wire: Connector) -> Markup:
    top = wire.y - (len(wire.label) - 1) * LABEL * LINE / 2 + LABEL / 3
    lines = (
        tag("tspan", line, x=round(wire.x, 1), y=round(top + number * LABEL * LINE, 1))
        for number, line in enumerate(wire.label)
    )
    return tag("text", *lines, class_=f"label s-{wire.link.status}")


def _box(each: Placed, folded: Folded, *kinds: str) -> Markup:
    kind = " ".join(["box", f"s-{each.box.status}", *kinds])
    state = "" if each.box.status == "unchanged" else f": {each.box.status}"
    name = tag("title", f"{each.box.title}{state}")
    return tag("g", name, *_frames(each, pile=each.box.id in folded.piles), *_texts(each), class_=kind)


def _frames(each: Placed, *, pile: bool) -> Iterator[Markup]:
    """The box itself, at last; of a pile, the edges of those below can be seen."""
    for shift in (6.0, 3.0, 0.0) if pile else (0.0,):
        yield tag("rect", x=each.x + shift, y=each.y + shift, width=each.width, height=each.height, rx=10)


def _texts(each: Placed) -> Iterator[Markup]:
    box, x = each.box, each.x + PADDING
    y = each.y + PADDING * 0.75 + KICKER
    yield tag("text", _NAMES.get(box.sort, box.sort), x=x, y=y, class_="kicker")
    if box.status != "unchanged":
        sign = f"{SIGNS[box.status]} {box.status}"
        yield tag("text", sign, x=each.x + each.width - PADDING, y=y, class_="sign")
    y += TITLE * LINE * 0.95
    for line in each.title:
        yield tag("text", line, x=x, y=round(y, 1), class_="title")
        y += TITLE * LINE
    y -= (TITLE - TEXT) * LINE
    for line in each.lines:
        yield tag("text", line, x=x, y=round(y, 1))
        y += TEXT * LINE


def _in_words(diagram: Diagram) -> Markup:
    """The same for those who cannot see it, and for who wants to copy it."""
    titles = {box.id: box.title for box in diagram.boxes}
    items = []
    for box in diagram.boxes:
        around = f", in {titles[box.inside]}" if box.inside in titles else ""
        lines = f": {'; '.join(box.lines)}" if box.lines else ""
        name = _NAMES.get(box.sort, box.sort)
        items.append(tag("li", status(box.status), f" {name} ", tag("b", box.title), f"{around}{lines}"))
    for link in diagram.links:
        if link.start in titles and link.end in titles:
            text = f": {link.text}" if link.text else ""
            items.append(
                tag("li", status(link.status), f" {titles[link.start]} \N{EM DASH} {titles[link.end]}{text}")
            )
    return tag("details", tag("summary", "The drawing in words"), tag("ul", *items, class_="plain"))
