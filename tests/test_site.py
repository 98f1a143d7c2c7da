"""The documentation as a site: built without a warning, no link broken, to be read on any screen."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from browser import Browser, opened
from site_hooks import on_page_content, on_page_markdown
from support import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("browser")]
QUESTIONS = ROOT / "tests" / "gitops" / "page.js"
#: One page of each sort: prose, outputs, tables, blueprints, a code.
SHOWN = ["", "start/", "compare/", "reference/cli/", "copy/gke/", "rules/GKE016/"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, as `make site` makes it where no repository publishes it."""
    folder = tmp_path_factory.mktemp("site")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env={**environment, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


class Links(HTMLParser):
    """Where a page leads, and the places in it that can be led to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.places: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what a tag says of either."""
        for name, value in attrs:
            if name in {"href", "src"} and tag != "base":
                self.targets.add(value or "")
            elif name in {"id", "name"}:
                self.places.add(value or "")


def broken(site: Path) -> Iterator[str]:
    """Links of a site that lead nowhere in it."""
    pages = {page: Links(page) for page in site.rglob("*.html")}
    for page, links in pages.items():
        for target in links.targets:
            scheme, host, path, _, place = urlsplit(target)
            if scheme or host or (page.name == "404.html" and path.startswith("/")):
                continue
            there = Path(os.path.normpath(page.parent / unquote(path))) if path else page
            there = there / "index.html" if there.is_dir() else there
            known = pages.get(there)
            if not there.is_file() or (place and known and unquote(place) not in known.places):
                yield f"{page.relative_to(site)}: {target}"


def test_agents_find_the_pages(site: Path) -> None:
    """Each line of llms.txt is a page with a sentence."""
    text = (site / "llms.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    targets = [re.fullmatch(r"- \[[^]]+\]\(([^)]+)\): \S.*", line) for line in lines]
    assert all(target and (site / target[1]).exists() for target in targets), text
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    assert pages <= {target[1].strip("/") for target in targets if target}


def test_no_link_is_broken(site: Path) -> None:
    assert sorted(broken(site)) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<a href="a/">a</a><a href="#b">b</a><a href="#c">c</a><i id="c">')
    assert sorted(broken(tmp_path)) == ["index.html: #b", "index.html: a/"]


def test_it_fetches_nothing_from_elsewhere(site: Path) -> None:
    """No font, script, picture or style of a third party."""
    for page in (site / "index.html", site / "start/index.html"):
        text = page.read_text("utf-8")
        assert "fonts.googleapis.com" not in text
        assert 'src="http' not in text
        assert 'rel="stylesheet" href="http' not in text


@pytest.mark.parametrize(
    ("written", "without", "published"),
    [
        ("[a](../blueprints/vm-smallest.yaml)", "[a](copy/vm.md#vm-smallest)", None),
        ("[a](../blueprints)", "[a](copy/vm.md)", None),
        ("[a](gke.md#pools)", "[a](gke.md#pools)", None),
        ("[`a`](../Dockerfile)", "`a`", "[`a`](https://github.com/some/fork/blob/abc/Dockerfile)"),
        ("[a](../setup)", "a", "[a](https://github.com/some/fork/tree/abc/setup)"),
        ("[a](../SECURITY.md#b)", "a", "[a](https://github.com/some/fork/blob/abc/SECURITY.md#b)"),
    ],
)
def test_what_lies_beside_the_pages_is_shown_where_it_is(
    written: str, without: str, published: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blueprints on the site itself; code where the repository is, if one publishes the site."""
    page: Any = SimpleNamespace(file=SimpleNamespace(src_uri="gke.md"))
    config: Any = SimpleNamespace(docs_dir=str(ROOT / "docs"))
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert on_page_markdown(written, page, config) == without
    for name, value in {"REPOSITORY": "some/fork", "SHA": "abc", "REF_TYPE": "branch"}.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    monkeypatch.delenv("GITHUB_SERVER_URL", raising=False)
    assert on_page_markdown(written, page, config) == (published or without)


@pytest.mark.parametrize(
    ("path", "written", "shown"),
    [
        ("gke.md", "see `GKE016`", "see [`GKE016`](rules/GKE016.md)"),
        ("tasks/index.md", "see `reference/cli`", "see [`reference/cli`](../reference/cli.md)"),
        ("rules/GKE016.md", "`GKE016` and `GKE017`", "`GKE016` and [`GKE017`](GKE017.md)"),
        ("gke.md", "[as `GKE016` says](ray.md)", "[as `GKE016` says](ray.md)"),
        ("gke.md", "`GKE999`, `gke` and `GKE016: text`", "`GKE999`, `gke` and `GKE016: text`"),
        ("gke.md", "```text\n`GKE016`\n```", "```text\n`GKE016`\n```"),
    ],
)
def test_the_name_of_a_generated_page_is_a_link_to_it(path: str, written: str, shown: str) -> None:
    page: Any = SimpleNamespace(file=SimpleNamespace(src_uri=path))
    config: Any = SimpleNamespace(docs_dir=str(ROOT / "docs"))
    assert on_page_markdown(written, page, config) == shown


def test_cells_of_a_table_carry_their_headings_to_a_phone() -> None:
    """Two columns fit, and a first cell is what its row is about."""
    two = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    assert on_page_content(two) == two
    three = (
        '<table><tr><th>a</th><th><code>b</code> "c"</th><th>d</th></tr>'
        '<tr><td>1</td><td{}>2</td><td style="x"{}></td></tr></table>'
    )
    shown = on_page_content(three.format("", ""))
    assert '<td>1</td><td data-label="b &quot;c&quot;">2</td><td data-label="d" style="x"></td>' in shown


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site, as a browser gets it."""

    class Silent(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:  # the test's output is no log
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=site))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_page_can_be_read(browser: Browser, address: str, name: str, dark: bool, width: int) -> None:
    with opened(browser, address + name, width, 900, dark=dark) as page:
        page.run(QUESTIONS.read_text("utf-8"))
        assert page.complaints() == []
        assert page.run("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
        assert page.run("document.body.dataset.mdColorScheme") == ("slate" if dark else "default")
        page.run("document.querySelector('.md-skip').remove()")  # nobody sees it before it has the focus
        assert page.run("poorContrast()") == []


def test_a_search_finds_what_an_error_says(browser: Browser, address: str) -> None:
    with opened(browser, address, 1280) as page:
        page.run("document.querySelector('[data-md-toggle=search]').click()")
        page.run(
            "new Promise(done => { const field = document.querySelector('[data-md-component=search-query]');"
            " field.focus(); field.value = 'block of another reservation';"
            " field.dispatchEvent(new Event('input', {bubbles: true}));"
            " const found = () => document.querySelector('.md-search-result__link');"
            " const wait = () => found() ? done() : setTimeout(wait, 50); wait(); })"
        )
        found = page.run("[...document.querySelectorAll('.md-search-result__link')].map(each => each.href)")
        assert any("GKE016" in each for each in found[:5]), found[:5]
        assert page.complaints() == []
