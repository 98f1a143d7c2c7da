"""Parts of a page that are the same wherever they are: sections, tables, what scrolls by itself."""

from collections.abc import Iterable, Sequence

from clusterprint.review.render.html.markup import Content, Markup, slug, tag


def section(title: str, *content: Content) -> Markup:
    """A part of the page with a heading of its own."""
    anchor = slug(title)
    return tag("section", tag("h2", title, id=anchor), *content, aria_labelledby=anchor)


def table(head: Sequence[str], rows: Iterable[Sequence[Content]], name: str) -> Markup:
    """A table whose first column names the row."""
    lines = (
        tag(
            "tr",
            *(
                tag("th" if not number else "td", cell, scope=None if number else "row")
                for number, cell in enumerate(cells)
            ),
        )
        for cells in rows
    )
    heading = tag("tr", *(tag("th", word, scope="col") for word in head))
    return scrolling(tag("table", tag("thead", heading), tag("tbody", *lines)), name)


def scrolling(content: Markup, name: str) -> Markup:
    """Something that may be wider than the screen: it scrolls by itself, with the keyboard too."""
    return tag(
        "div", content, class_="scroll", tabindex=0, role="region", aria_label=slug(name).replace("-", " ")
    )
