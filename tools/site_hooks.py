"""Hooks of MkDocs: generated pages, and links that differ from the repository.

The pages of docs/ are written to be read in the repository too, so they link to blueprints and to code
beside docs/. On the site a blueprint is a page, and code is where the repository that publishes shows it. A
site that no repository publishes has no such place: there the words stay, and the link goes. The pages of
codes and of the reference exist on the site only: there a code span that names one becomes a link to it.
"""

import os
import re
import sys
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure import StructureItem
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from docs_pages.site import site_pages  # noqa: E402 - the checkout first, then the imports

from build_hooks.metadata import Home  # noqa: E402
from clusterprint import describe  # noqa: E402

log = get_plugin_logger(__name__)

#: What each kind is.
KINDS = {kind.name: kind.description for kind in describe.kinds()}
#: `[words](target)` where the target leads up; code in the words is fine, another link is not.
_OUTWARD = re.compile(r"(?<!!)\[([^\[\]]*)\]\((\.\./[^)\s]*)\)")
#: A block of code, or what is a link already, neither of which is changed; or a code span of one word.
_NAMED = re.compile(r"^(```|~~~).*?^\1|\[[^\[\]]*\]\([^)]*\)|`(?P<name>[\w/-]+)`", re.MULTILINE | re.DOTALL)
#: A table without attributes: one that was written in Markdown.
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
#: As many columns do not fit beside each other on a phone; more are numbers, to be compared by scrolling.
_CARDS = range(3, 7)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The navigation with the pages of all kinds."""
    config.nav = _with_kinds(config.nav)
    return config


def _with_kinds(nav: Any) -> Any:
    """A path with KIND in it is one of each kind."""
    if isinstance(nav, dict):
        return {title: _with_kinds(each) for title, each in nav.items()}
    if isinstance(nav, list):
        return [_with_kinds(each) for each in nav]
    return [nav.replace("KIND", kind) for kind in KINDS] if isinstance(nav, str) and "KIND" in nav else nav


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages of codes and of the reference, and one for the blueprints of each kind."""
    made = site_pages() | {f"copy/{kind}.md": blueprints_of(kind) for kind in KINDS}
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def blueprints_of(kind: str) -> str:
    """All blueprints of a kind on one page, the smallest first."""
    texts = {file.stem: file.read_text("utf-8") for file in (ROOT / "blueprints").glob("*.yaml")}
    own = {name: text for name, text in texts.items() if re.search(rf"^kind: {kind}$", text, re.MULTILINE)}
    parts = [
        f"# Blueprints of kind `{kind}`",
        KINDS[kind],
        "Complete blueprints to copy. Each says who it is for, and has been validated.",
    ]
    for name, text in sorted(own.items(), key=lambda each: (len(each[1]), each[0])):
        parts += [f"## {name}", f'```yaml title="blueprints/{name}.yaml"\n{text.rstrip()}\n```']
    return "\n\n".join(parts) + "\n"


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:  # noqa: ARG001 - mkdocs passes them
    """The same; remembered for llms.txt."""
    config.extra["sections"] = nav.items
    return nav


def on_post_build(config: MkDocsConfig) -> None:
    """Write llms.txt, the list of pages for agents (https://llmstxt.org): each with its first sentence."""
    lines = [f"# {config.site_name}", "", f"> {config.site_description}"]
    for section in config.extra["sections"]:
        lines += ["", f"## {section.title}", ""]
        lines += [_in_a_line(page, config.site_url or "") for page in _pages(section)]
    (Path(config.site_dir) / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")


def _pages(item: StructureItem) -> Iterator[Page]:
    if isinstance(item, Page):
        yield item
    for each in (item.children or ()) if isinstance(item, Section) else ():
        yield from _pages(each)


def _in_a_line(page: Page, home: str) -> str:
    prose = (each for each in (page.markdown or "").split("\n\n") if re.match(r"[A-Z`*\[]", each))
    first = re.split(r"(?<=[.:])\s", " ".join(next(prose, "").split()))[0]
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", first)
    return f"- [{page.title}]({home}{page.url or 'index.html'}): {words}"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: object) -> str:
    """A page whose links out of docs/ lead somewhere, and where names of generated pages are links."""
    folder = Path(config.docs_dir) / Path(page.file.src_uri).parent
    home = Home.of(os.environ)

    def link(found: "re.Match[str]") -> str:
        words, target = found.groups()
        path, _, anchor = target.partition("#")
        there = Path(os.path.normpath(folder / path))
        if there.is_relative_to(config.docs_dir):
            return found[0]
        if not there.exists():
            log.warning("%s links to %s, which is not there", page.file.src_uri, target)
        if at := place_of(there):
            up = os.path.relpath("copy", Path(page.file.src_uri).parent)
            return f"[{words}]({up}/{at})"
        if home is None:
            return words
        kind = "tree" if there.is_dir() else "blob"
        inside = there.relative_to(ROOT).as_posix()
        return f"[{words}]({home.url}/{kind}/{home.revision}/{inside}{anchor and '#' + anchor})"

    return _with_links_to_pages(_OUTWARD.sub(link, markdown), page.file.src_uri)


def _with_links_to_pages(markdown: str, path: str) -> str:
    """Each code span that names a generated page, `GCP001` or `reference/cli`, as a link to that page."""

    def link(found: "re.Match[str]") -> str:
        name = found["name"] or ""
        target = next((each for each in (f"rules/{name}.md", f"{name}.md") if each in site_pages()), path)
        return found[0] if target == path else f"[{found[0]}]({os.path.relpath(target, Path(path).parent)})"

    return _NAMED.sub(link, markdown)


def on_page_content(html: str, **_: object) -> str:
    """Tables of some columns, each cell with its heading, which a phone shows instead of columns."""
    return _TABLE.sub(_labelled, html)


def _labelled(table: "re.Match[str]") -> str:
    headings = [re.sub("<[^>]*>", "", each) for each in re.findall("<th[^>]*>(.*?)</th>", table[0])]
    # The first cell is what a row is about, and needs no heading.
    labels = [f' data-label="{escape(unescape(each))}"' if each else "" for each in ["", *headings[1:]]]

    def row(found: "re.Match[str]") -> str:
        rest = iter(labels)
        return re.sub(r"<td\b", lambda _: "<td" + next(rest, ""), found[0])

    return re.sub("<tr>.*?</tr>", row, table[0], flags=re.DOTALL) if len(headings) in _CARDS else table[0]


def place_of(there: Path) -> str:
    """Where the site shows a blueprint, or the folder of all; empty if it does not."""
    if there == ROOT / "blueprints":
        return f"{next(iter(KINDS))}.md"
    if there.parent == ROOT / "blueprints" and there.suffix == ".yaml":
        kind = re.search(r"^kind: (\w+)$", there.read_text("utf-8"), re.MULTILINE)
        return f"{kind[1]}.md#{there.stem}" if kind else ""
    return ""
