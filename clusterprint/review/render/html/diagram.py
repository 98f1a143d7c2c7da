"""A cluster as a drawing in SVG, once for screens and once for phones, and the same in words."""

from clusterprint.review.model import Cluster, Diagram
from clusterprint.review.render.html import layout
from clusterprint.review.render.html.layout import BROAD, PADDING, SLIM, Form, Placed
from clusterprint.review.render.html.markup import Markup, join, tag
from clusterprint.review.render.html.measure import KICKER, LABEL, LINE, TEXT, TITLE
from clusterprint.review.render.html.wires import Wire, connect
from clusterprint.review.render.html.words import SIGNS, status

_NAMES = {"pool": "nodes", "way in": "way in", "way out": "way out"}


def figure(cluster: Cluster, anchor: str) -> Markup:
    """The drawing of a cluster, or nothing if there is nothing to draw."""
    diagram = cluster.diagram
    if not diagram.boxes:
        return Markup()
    label = f"{anchor}-drawing"
    return tag(
        "figure",
        tag("figcaption", f"{cluster.name} as it would be", _legend(diagram), id=label),
        tag("div", _svg(diagram, BROAD, label), class_="broad"),
        tag("div", _svg(diagram, SLIM, label), class_="slim"),
        _in_words(diagram),
        class_="diagram",
    )


def _legend(diagram: Diagram) -> Markup:
    used = {box.status for box in diagram.boxes} | {link.status for link in diagram.links}
    shown = [tag("li", status(name)) for name in SIGNS if name in used]
    return tag("ul", *shown, class_="legend") if shown else Markup()


def _svg(diagram: Diagram, form: Form, label: str) -> Markup:
    made = layout.arrange(diagram, form)
    around = {box.inside for box in diagram.boxes}
    wires = connect(diagram.links, made.boxes, form)
    return tag(
        "svg",
        *(_box(each) for each in made.boxes if each.box.id in around),
        *(_curve(wire) for wire in wires),
        *(_box(each) for each in made.boxes if each.box.id not in around),
        *(_label(wire) for wire in wires if wire.label),
        viewBox=f"0 0 {made.width:g} {made.height:g}",
        width=made.width,
        height=made.height,
        role="img",
        aria_labelledby=label,
    )


def _curve(wire: Wire) -> Markup:
    x1, y1, *rest = (f"{each:.1f}" for each in wire.points)
    x2, y2 = rest[-2:]
    kind = f"wire s-{wire.link.status}"
    return join(
        [
            tag("path", d=f"M{x1} {y1}C{' '.join(rest)}", class_=kind),
            tag("circle", cx=x1, cy=y1, r=3, class_=kind),
            tag("circle", cx=x2, cy=y2, r=3, class_=kind),
        ]
    )


def _label(wire: Wire) -> Markup:
    top = wire.y - (len(wire.label) - 1) * LABEL * LINE / 2 + LABEL / 3
    lines = (
        tag("tspan", line, x=round(wire.x, 1), y=round(top + number * LABEL * LINE, 1))
        for number, line in enumerate(wire.label)
    )
    return tag("text", *lines, class_=f"label s-{wire.link.status}")


def _box(each: Placed) -> Markup:
    box, x = each.box, each.x + PADDING
    y = each.y + PADDING * 0.75 + KICKER
    parts = [
        tag("title", f"{box.title}: {box.status}"),
        tag("rect", x=each.x, y=each.y, width=each.width, height=each.height, rx=10),
        tag("text", _NAMES.get(box.sort, box.sort), x=x, y=y, class_="kicker"),
    ]
    if box.status != "unchanged":
        sign = f"{SIGNS[box.status]} {box.status}"
        parts.append(tag("text", sign, x=each.x + each.width - PADDING, y=y, class_="sign"))
    y += TITLE * LINE * 0.95
    for line in each.title:
        parts.append(tag("text", line, x=x, y=round(y, 1), class_="title"))
        y += TITLE * LINE
    y -= (TITLE - TEXT) * LINE
    for line in each.lines:
        parts.append(tag("text", line, x=x, y=round(y, 1)))
        y += TEXT * LINE
    return tag("g", *parts, class_=f"box b-{box.sort.replace(' ', '-')} s-{box.status}")


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
