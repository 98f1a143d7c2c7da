"""The documentation as a site: built without a warning, no link broken, to be read on any screen."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import pytest
from browser import Browser, opened
from support import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
QUESTIONS = ROOT / "tests" / "gitops" / "page.js"
#: One page of each sort: prose, outputs, tables, blueprints, a code.
SHOWN = ["", "start/", "compare/", "reference/cli/", "copy/gke/", "rules/GKE016/"]


def build(folder: Path, **variables: str) -> None:
    """Build the site, as `make site` does."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env={**environment, "NO_MKDOCS_2_WARNING": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    build(folder)
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


def test_what_lies_beside_the_pages_is_shown_where_the_repository_is(site: Path, tmp_path: Path) -> None:
    at = "gke/index.html"
    assert "google/gke.json" not in (site / at).read_text("utf-8"), (
        "no repository: the words stay, the link goes"
    )
    build(tmp_path, GITHUB_REPOSITORY="some/fork", GITHUB_SHA="abc")
    link = "https://github.com/some/fork/blob/abc/clusterprint/catalog/google/gke.json"
    assert link in (tmp_path / at).read_text("utf-8")
    assert 'href="../copy/vm/"' in (tmp_path / at).read_text("utf-8"), "blueprints are on the site itself"


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
