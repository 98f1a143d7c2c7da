"""The page of a review, in a real browser: readable, safe, for every screen, with nothing from elsewhere."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import browser as chromium
import msgspec
import pytest
from browser import Browser, Page, opened
from reports import REPORT, box, link

from clusterprint.review import model
from clusterprint.review.render import html
from clusterprint.review.render.html.connectors import connect
from clusterprint.review.render.html.layout import BROAD, SLIM, arrange
from clusterprint.review.render.html.measure import text_width, wrap
from clusterprint.review.render.html.piles import fold
from clusterprint.review.render.html.unnest import unnest

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("browser")]
QUESTIONS = Path(__file__).with_name("page.js")
SIZES = {"phone": (375, 740), "tablet": (768, 900), "screen": (1280, 900)}

HOSTILE = (
    "</style></title><script>window.hit=1</script><img src=x onerror=window.hit=2>\"'&lt;\u202e\x1b[31m]]>"
)


def spoilt(value: Any) -> Any:
    """A report in which every free text is hostile."""
    if isinstance(value, model.Piece):
        kept = {
            "action",
            "status",
            "severity",
            "sort",
            "level",
            "state",
            "sign",
            "model",
            "unit",
            "idea",
            "id",
            "inside",
            "start",
            "end",
            "side",
            "kind",
        }
        return type(value)(
            **{
                name: getattr(value, name) if name in kept else spoilt(getattr(value, name))
                for name in value.__struct_fields__
            }
        )
    if isinstance(value, tuple):
        return tuple(map(spoilt, value))
    return value + HOSTILE if isinstance(value, str) else value


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("page") / "review.html"
    made.write_text(html.render(REPORT), "utf-8")
    return made


@contextmanager
def shown(
    browser: Browser, file: Path, width: int = 1280, height: int = 900, *, dark: bool = False
) -> Iterator[Page]:
    """A page, with what we ask of it."""
    with opened(browser, file, width, height, dark=dark) as made:
        made.run(QUESTIONS.read_text("utf-8"))
        yield made


@pytest.fixture(params=[(size, scheme) for size in SIZES for scheme in ("light", "dark")], ids="-".join)
def page(request: pytest.FixtureRequest, browser: Browser, file: Path) -> Iterator[Page]:
    """The page in every size, light and dark, with everything unfolded."""
    size, scheme = request.param
    with shown(browser, file, *SIZES[size], dark=scheme == "dark") as made:
        made.run("unfold()")
        yield made


def test_it_asks_nothing_of_the_network_and_breaks_no_rule_of_its_own(page: Page, file: Path) -> None:
    assert [each for each in page.requests() if each != "data:,"] == [file.as_uri()]
    assert page.complaints() == []
    assert page.run("all('script, iframe, object, embed, img, form').length") == 0


def test_it_is_never_wider_than_the_screen(page: Page) -> None:
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert page.run("stickingOut()") == []


def test_what_scrolls_by_itself_can_be_reached_with_the_keyboard(page: Page) -> None:
    assert page.run("unreachable()") == []


def test_all_text_has_contrast(page: Page) -> None:
    assert page.run("poorContrast()") == []


def test_one_drawing_of_each_cluster_is_shown_at_a_readable_size(page: Page) -> None:
    assert page.run("drawingsOfEach()") == [1, 1]
    assert page.run("smallestScale()") > 0.8
    assert page.run("outOfBox()") == []
    assert page.run("overlaps()") == []


def test_the_picture_has_content(page: Page) -> None:
    found = chromium.colors(page.picture())
    assert len(found) > 100
    assert found.most_common(1)[0][1] < 0.9 * found.total()


def test_dark_is_dark_and_light_is_light(browser: Browser, file: Path) -> None:
    means = []
    for dark in (False, True):
        with shown(browser, file, 600, 600, dark=dark) as made:
            found = chromium.colors(made.picture())
            means.append(sum(sum(color) * count for color, count in found.items()) / found.total() / 3)
    light, dark_ = means
    assert light > 200
    assert dark_ < 60


def test_landmarks_headings_and_names(browser: Browser, file: Path) -> None:
    with shown(browser, file) as made:
        landmarks = "['header', 'nav', 'main', 'footer']"
        assert made.run(f"{landmarks}.map(each => all('body > ' + each).length)") == [1, 1, 1, 1]
        assert made.run("document.documentElement.lang") == "en"
        headings = made.run("all('h1, h2, h3, h4').map(each => each.tagName)")
        assert headings[0] == "H1"
        assert headings.count("H1") == 1
        ids = made.run("attributes('[id]', 'id')")
        assert len(ids) == len(set(ids))
        named = made.run("attributes('[aria-labelledby]', 'aria-labelledby')")
        linked = made.run("attributes('a', 'href')")
        assert {*named, *(each.removeprefix("#") for each in linked)} <= set(ids)
        assert made.run("all('th').every(each => each.scope)")
        assert made.run("all('details').every(each => each.firstElementChild.tagName == 'SUMMARY')")


def test_it_works_with_the_keyboard_alone(browser: Browser, file: Path) -> None:
    with shown(browser, file) as made:
        made.press("Tab")
        assert made.run("document.activeElement.textContent") == "Skip to the report"
        assert made.run("document.activeElement.getBoundingClientRect().left >= 0"), "it shows itself"
        made.run("document.querySelectorAll('.group')[2].firstElementChild.focus()")
        assert made.run("document.activeElement.parentElement.open") is False
        made.press("Enter")
        assert made.run("document.activeElement.parentElement.open") is True
        assert made.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_hostile_texts_stay_texts(browser: Browser, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.html"
    hostile.write_text(html.render(spoilt(REPORT)), "utf-8")
    assert "\u202e" not in hostile.read_text("utf-8")
    assert "\x1b" not in hostile.read_text("utf-8")
    for width in (375, 1280):
        with shown(browser, hostile, width) as made:
            assert made.run("[window.hit, document.querySelectorAll('script, img').length]") == [None, 0]
            assert made.run("document.querySelectorAll('style').length") == 1
            assert made.run("document.querySelector('h1').textContent").endswith("]]>")
            assert made.run("document.documentElement.scrollWidth <= innerWidth")
            assert made.complaints() == []
            assert [each for each in made.requests() if not each.startswith(("data:,", "file:"))] == []


def test_the_same_report_is_the_same_page_and_depends_on_nothing_here() -> None:
    text = html.render(REPORT)
    assert text == html.render(msgspec.json.decode(msgspec.json.encode(REPORT), type=model.Report))
    assert str(Path.cwd()) not in text
    assert not re.search(r"https?:", text)


def test_everything_in_a_report_is_on_the_page() -> None:
    text = html.render(REPORT)
    for told in (
        "GCP004",
        "us-south1-c has it",
        "4 nodes are ready, 6 were asked for.",
        "git fetch origin pull/7/head",
        "n2-standard-4",
        "mount_bucket my-old-bucket",
        "known after apply",
        "sensitive",
        "terraform-provider-google 6.50.0: ForceNew",
        "2026-08-20",
        "the catalog has no price for flex-start",
        "google_compute_firewall.ssh",
        "Allowed for this review",
        "Prices of flex-start",
    ):
        assert told in text, told


def test_a_report_about_nothing_is_a_page_too(browser: Browser, tmp_path: Path) -> None:
    nothing = model.Report(
        verdict=model.Verdict(level="nothing", line="No change", exit_code=0, counts=model.Counts()),
        sources=(),
        capacity=(),
        cost=model.Cost(),
        risks=(),
        policy=model.Policy(),
        clusters=(),
        drift=(),
        checks=(),
        problems=(),
        commands=(),
        notes=(),
    )
    empty = tmp_path / "nothing.html"
    empty.write_text(html.render(nothing), "utf-8")
    with shown(browser, empty, 375) as made:
        assert made.run("document.querySelector('h1').textContent") == "No change"
        assert made.complaints() == []


# ---- the drawing, without a browser


def test_a_drawing_of_nonsense_ends() -> None:
    boxes = (
        box("a", "cluster", "a", inside="b"),
        box("b", "cluster", "b", inside="a"),
        box("c", "pool", "c", inside="c"),
        box("d", "pool", "d", inside="gone"),
    )
    links = (link("a", "b", "x"), link("c", "d", "x"), link("c", "c", "x"), link("c", "nowhere", "x"))
    made = arrange(model.Diagram(boxes=boxes, links=links), BROAD)
    assert [each.box.id for each in made.boxes] == ["c", "d"]
    wires = connect(links, made.boxes, BROAD)
    assert [(each.link.start, each.link.end) for each in wires] == [("c", "d")]


def test_an_empty_drawing_has_a_size() -> None:
    assert arrange(model.Diagram(), SLIM).width > 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a b",
        "one-very-long-name-of-a-bucket-with-many-parts",
        "x" * 200,
        "\u4e2d" * 40,
        "WWWW " * 30,
    ],
)
def test_lines_fit(text: str) -> None:
    lines = wrap(text, 120, 12)
    assert len(lines) <= 3
    assert all(text_width(line, 12) <= 120 for line in lines)
    if not lines or not lines[-1].endswith("\N{HORIZONTAL ELLIPSIS}"):
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_what_differs_in_a_number_only_is_a_pile() -> None:
    boxes = [
        box("net", "network", "net"),
        *(box(f"g{n}", "network", f"gpu-{n}", "MTU 8244", status="added") for n in range(4)),
        *(
            box(f"s{n}", "subnet", f"gpu-{n}", f"10.0.{n}.0/24", status="added", inside=f"g{n}")
            for n in range(4)
        ),
        box("a", "subnet", "old-1", inside="net"),
        box("b", "subnet", "old-2", inside="net"),
        box("c", "subnet", "old-3", inside="net", status="removed"),
        box("pool", "pool", "nodes"),
    ]
    links = (*(link("pool", f"s{n}", "gVNIC", "added") for n in range(4)), link("pool", "a", ""))
    made = fold(model.Diagram(boxes=tuple(boxes), links=links))
    assert [(each.title, each.lines, each.inside) for each in made.diagram.boxes] == [
        ("net", (), ""),
        ("gpu-0 … 3", ("4 networks", "MTU 8244"), ""),
        ("gpu-0 … 3", ("4 subnets", "10.0.0.0/24 … 10.0.3.0/24"), "g0"),
        ("old-1", (), "net"),
        ("old-2", (), "net"),
        ("old-3", (), "net"),
        ("nodes", (), ""),
    ]
    assert made.piles == {"g0": 4, "s0": 4}
    assert [(each.start, each.end) for each in made.diagram.links] == [("pool", "s0"), ("pool", "a")]


def test_a_cluster_stands_beside_its_network_and_is_joined_to_it() -> None:
    boxes = (
        box("net", "network", "net"),
        box("sub", "subnet", "sub", inside="net"),
        box("ssh", "firewall", "ssh", inside="net"),
        box("gke", "cluster", "gke", inside="net"),
        box("pool", "pool", "pool", inside="gke"),
    )
    made = unnest(model.Diagram(boxes=boxes, links=(link("pool", "sub", ""),)))
    assert {each.id: each.inside for each in made.boxes} == {
        "net": "", "sub": "net", "ssh": "net", "gke": "", "pool": "gke",
    }  # fmt: skip
    assert [(each.start, each.end) for each in made.links] == [("pool", "sub")]
    alone = unnest(model.Diagram(boxes=boxes))
    assert [(each.start, each.end) for each in alone.links] == [("gke", "net")]
