"""A report as one page that needs nothing else: no network, no script, any screen, light or dark.

The page says so itself: its content security policy lets nothing in but its own style.
"""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from clusterprint import __version__
from clusterprint.review.model import Cluster, Report
from clusterprint.review.render.html import changes, drawing, numbers, sections
from clusterprint.review.render.html.labels import status
from clusterprint.review.render.html.markup import Markup, join, slug, tag
from clusterprint.review.render.html.parts import section

_STYLE = Path(__file__).with_name("style.css")


def render(report: Report) -> str:
    """The whole page; nothing is left out, long parts are folded."""
    clusters = [(each, f"cluster-{number}-{slug(each.name)}") for number, each in enumerate(report.clusters)]
    changed = [(each, anchor) for each, anchor in clusters if each.status != "unchanged"]
    same = [changes.unchanged(each, anchor) for each, anchor in clusters if each.status == "unchanged"]
    main = tag(
        "main",
        numbers.tiles(report),
        sections.problems([each for each in report.problems if each.severity == "error"]),
        sections.risks(report),
        sections.policy(report),
        *(changes.cluster(each, anchor) for each, anchor in changed),
        section("Unchanged", *same) if same else None,
        numbers.capacity(report.capacity),
        numbers.cost(report.cost),
        numbers.quota(report.quota),
        numbers.scenarios(report.scenarios),
        numbers.proofs(report.proofs),
        sections.drift(report),
        sections.checks(report),
        sections.warnings([each for each in report.problems if each.severity == "warning"]),
        sections.ending(report),
        id="report",
    )
    body = tag(
        "body",
        tag("a", "Skip to the report", href="#report", class_="skip"),
        sections.verdict(report),
        _contents(changed),
        main,
        _footer(),
    )
    return f"<!doctype html>\n{tag('html', _head(report), body, lang='en')}\n"


def _head(report: Report) -> Markup:
    style = drawing.STYLE.read_text("utf-8") + _STYLE.read_text("utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    rules = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=rules),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("link", rel="icon", href="data:,"),
        tag("title", f"{report.verdict.line} \N{MIDDLE DOT} clusterprint review"),
        tag("style", Markup(style)),
    )


def _contents(clusters: Sequence[tuple[Cluster, str]]) -> Markup:
    """Ways to the clusters, where there are several."""
    if len(clusters) < 2:  # noqa: PLR2004 - one needs no list
        return Markup()
    links = [
        tag("li", tag("a", each.name, href=f"#{anchor}"), " ", status(each.status))
        for each, anchor in clusters
    ]
    return tag("nav", tag("ul", *links), aria_label="Clusters")


def _footer() -> Markup:
    told = join(
        [
            "Made by clusterprint ",
            __version__,
            ". Prices are indicative; a plan of the real cloud is authoritative.",
        ]
    )
    return tag("footer", tag("p", told))
