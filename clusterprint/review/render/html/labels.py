"""Words of the page for names of the model: signs, labels, numbers, places."""

from clusterprint.review.model import Amount, Counts, Level, Place, Severity, Value
from clusterprint.review.render.html.markup import Content, Markup, join, tag

#: A sign for each thing that happens; the word always stands beside it.
SIGNS = {
    "added": "+",
    "changed": "~",
    "removed": "\N{MINUS SIGN}",
    "replaced": "\N{PLUS-MINUS SIGN}",
    "moved": "\N{RIGHTWARDS ARROW}",
    "forgotten": "\N{EMPTY SET}",
    "imported": "\N{DOWNWARDS ARROW}",
}

LEVELS: dict[Level, str] = {
    "nothing": "No change",
    "problems": "Problems in a blueprint",
    "allowed": "Changes",
    "forbidden": "Forbidden by policy",
}

SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low")

ARROW = tag("span", " \N{RIGHTWARDS ARROW} ", class_="arrow", aria_label="becomes", role="img")


def status(name: str) -> Markup:
    """The action, as a colored sign and word."""
    return tag(
        "span", tag("span", SIGNS.get(name, "="), aria_hidden="true"), f" {name}", class_=f"status s-{name}"
    )


def counts(found: Counts) -> Markup:
    """How many resources each thing happens to."""
    chips = []
    for name, sign in SIGNS.items():
        number = getattr(found, name)
        if number:
            sign_ = tag("span", sign, aria_hidden="true")
            chips.append(tag("li", sign_, tag("b", str(number)), f" {name}", class_=f"chip s-{name}"))
    return tag("ul", *chips, class_="chips", aria_label="Resources") if chips else Markup()


def value(given: Value) -> Markup:
    """One side of a change."""
    told = {"absent": "not set", "unknown": "known after apply", "sensitive": "sensitive"}
    if given.state != "known":
        return tag("i", told[given.state])
    return tag("code", given.text) if given.text else tag("i", "empty")


def place(given: Place | None) -> Markup:
    """Where something stands in a blueprint."""
    if given is None:
        return Markup()
    before = " before" if given.side == "base" else ""
    return tag("span", tag("code", f"{given.file}:{given.line}"), before, class_="place")


def number(given: float) -> str:
    """A number without needless digits."""
    return f"{given:,.2f}".rstrip("0").rstrip(".") if given % 1 else f"{given:,.0f}"


def span(least: float, most: float) -> str:
    """A number, or the least and the most of it."""
    return number(least) if least == most else f"{number(least)}\N{EN DASH}{number(most)}"


def accelerators(given: Amount) -> str:
    """How many accelerators."""
    return span(given.accelerators, given.most_accelerators)


def nodes(given: Amount) -> str:
    """How many nodes."""
    return span(given.nodes, given.most_nodes)


def dollars(given: float | None, *, signed: bool = False) -> str:
    """An amount of money; unknown is said, and is not nothing."""
    if given is None:
        return "unknown"
    sign = "\N{MINUS SIGN}" if given < 0 else "+" if signed and given > 0 else ""
    return f"{sign}${abs(given):,.2f}"


def becomes(before: Content, after: Content) -> Markup:
    """One thing, and then another."""
    return join([before, ARROW, after])
