"""The comment: what is in it cannot break it, and it stays below the limit of the forge."""

import re
from html import escape, unescape
from typing import Any, Literal

import msgspec
import pytest
from cmarkgfm import github_flavored_markdown_to_html
from support import ROOT

from clusterprint.review.model import (
    Amount,
    Capacity,
    Change,
    Cluster,
    QuotaRow,
    Report,
    Value,
    ValueChange,
)
from clusterprint.review.render import html as page
from clusterprint.review.render import markdown, text
from clusterprint.review.render.markdown_text import code, fence, html, prose, table

HOSTILE = (
    "```\n</details><script>alert(1)</script>",
    "| a | b |\n| --- | --- |",
    "@torvalds please look, fixes #1 and GH-2",
    "[click](javascript:alert(1)) ![x](http://evil/x.png)",
    "<!-- clusterprint-review -->",
    "\u202eevil\u202c\x1b[31m",
    "`` ` ```` `",
    "www.evil.example https://evil.example",
)


@pytest.fixture
def sample() -> Report:
    """The kept sample."""
    return msgspec.json.decode((ROOT / "tests/data/review/report.json").read_bytes(), type=Report)


def hostile_report(sample: Report, evil: str) -> Report:
    """A report in which everything that comes from outside is hostile."""
    foreign = {
        "name", "title", "address", "reason", "previous_address", "text", "path", "before", "after",
        "message", "help", "file", "key", "rule", "what",
    }  # fmt: skip

    def poison(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {each: poison(inner, each) for each, inner in value.items()}
        if isinstance(value, list | tuple):
            return [poison(each, key) for each in value]
        return evil if key in foreign and isinstance(value, str) else value

    data = poison(msgspec.to_builtins(sample))
    return msgspec.convert({**data, "notes": [evil], "commands": [evil]}, Report)


def outside_of_code(comment: str) -> str:
    """The comment without fences and code, where nothing of a forge's is looked for."""
    without = re.sub(r"(?ms)^ *(`{3,})\w*\n.*?^ *\1$", "", comment)
    without = re.sub(r"<code>[^<]*</code>", "", without)
    # a tick after a backslash begins no code
    return re.sub(r"(?<![`\\])(`+)(?!`).+?(?<!`)\1(?!`)", "", without)


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_text_breaks_nothing(sample: Report, evil: str) -> None:
    comment = markdown.render(hostile_report(sample, evil))
    rest = outside_of_code(comment)
    assert rest.count(markdown.MARK) == 1
    assert "<script" not in rest
    assert rest.count("<details") == rest.count("</details>")
    assert not re.search(r"@\w", rest.replace("@@", ""))
    assert not re.search(r"(?<![\\&\w])#\d", rest)
    assert "](" not in re.sub(r"<summary>.*</summary>", "", rest).replace("\\]", "")
    assert "\x1b" not in comment
    assert "\u202e" not in comment


ADDRESSES = (
    "https://evil.example", "HTTPS://evil.example", "ftp://evil.example", "http://a@evil.example/x",
    "www.evil.example", "WWW.evil.example", "someone@evil.example", "mailto:someone@evil.example",
    "xmpp:someone@evil.example/x", "<https://evil.example>", "[x](https://evil.example)",
    "https:&#47;/evil.example", "https:\u200b//evil.example", "x:////evil.example https:////www.evil.example",
)  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_address_becomes_a_link(address: str) -> None:
    made = github_flavored_markdown_to_html(
        f"{prose(address)}\n\n" + table(("a", "b"), [(prose(address), "")])
    )
    assert "<a " not in made
    assert "evil.example" in made


@pytest.mark.parametrize(
    "word",
    [
        "gs://my-states/team/a", "https://example.com/x?a=1&b=2", "europe-docker.pkg.dev/p/r/i@sha256:0123",
        "git@example.com:team/a.git", "@team", "#12", "GH-7", "a`b@c", "a|b#1", "<a://b>",
    ],
)  # fmt: skip
def test_what_forges_would_link_can_be_copied(word: str) -> None:
    shown = f"<code>{escape(word, quote=False)}</code>"
    for sentence in (f"the state is at {word}, or not", f"({word})", f"'{word}'.", f"{word}"):
        made = github_flavored_markdown_to_html(table(("a",), [(prose(sentence),)]))
        assert made.count(shown) == 1
        assert html(sentence).count(shown) == 1
        assert unescape(re.sub(r"</?code>", "", html(sentence))) == sentence


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_of_a_report_becomes_a_link(sample: Report, address: str) -> None:
    made = github_flavored_markdown_to_html(markdown.render(hostile_report(sample, address)))
    assert "<a " not in made
    assert "<img" not in made


@pytest.mark.parametrize("evil", HOSTILE)
def test_rows_of_tables_keep_their_cells(evil: str) -> None:
    lines = table(("a", "b"), [(prose(evil), code(evil))]).split("\n")
    assert len(lines) == 3
    assert len(re.findall(r"(?<!\\)\|", lines[2])) == 3


@pytest.mark.parametrize("evil", HOSTILE)
def test_fences_hold(evil: str) -> None:
    block = fence(evil, "diff").split("\n")
    ticks = re.match("`+", block[0])
    assert ticks
    assert block[-1] == ticks[0]
    assert all(ticks[0] not in line for line in block[1:-1])


@pytest.mark.parametrize("evil", HOSTILE)
def test_text_for_terminals_holds_nothing_that_acts_on_them(sample: Report, evil: str) -> None:
    shown = text.render(hostile_report(sample, evil))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def many(sample: Report, clusters: int, changes: int) -> Report:
    """A report with as many clusters and changes as one likes."""
    value = ValueChange(
        path="a" * 20, before=Value(state="known", text="b" * 200), after=Value(state="known", text="c" * 200)
    )
    made = tuple(
        Change(
            action="changed", stack="s", address=f"google_x.y{number}", type="google_x", title=f"x {number}",
            instances=(f"google_x.y{number}",), values=(value,),
        )
        for number in range(changes)
    )  # fmt: skip
    first: Cluster = next(each for each in sample.clusters if each.groups)
    group = msgspec.structs.replace(first.groups[0], changes=made)
    return msgspec.structs.replace(
        sample,
        clusters=tuple(
            msgspec.structs.replace(first, name=f"cluster-{number}", groups=(group,))
            for number in range(clusters)
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize(("clusters", "changes"), [(1, 1), (3, 60), (1, 500), (40, 40), (800, 2), (5000, 1)])
def test_a_comment_stays_below_the_limit(sample: Report, clusters: int, changes: int) -> None:
    comment = markdown.render(many(sample, clusters, changes))
    assert len(comment.encode()) < markdown.LIMIT
    assert comment.count("<details") == comment.count("</details>")
    assert len(re.findall(r"(?m)^ *```", comment)) % 2 == 0
    for line in comment.split("\n"):
        if line.startswith("|"):
            assert line.endswith("|")
    folded = clusters * changes > 100
    assert ("**Folded**" in comment) is folded


def test_risks_and_verdict_are_folded_last(sample: Report) -> None:
    comment = markdown.render(many(sample, 800, 2))
    assert sample.verdict.line.split(",", maxsplit=1)[0] in comment
    assert all(f"`{each.name}`" in comment for each in sample.risks)
    assert "clusterprint review --format html" in comment


def test_one_of_a_kind_is_one(sample: Report) -> None:
    """In each form; of a family that was not there before, only what comes is said in words."""

    def row(unit: Literal["GPU", "TPU chip", "node"], before: int, after: int, most: int) -> Capacity:
        was, now = (
            Amount(nodes=least, most_nodes=number, accelerators=least, most_accelerators=number)
            for least, number in ((before, before), (after, most))
        )
        return Capacity(family="L4", unit=unit, model="spot", before=was, after=now)

    numbers = ((0, 1, 1), (0, 0, 1), (2, 1, 1), (1, 0, 0), (1, 2, 2))
    quota = tuple(
        QuotaRow(owner="p", region="a", metric=unit, dimension="", unit=unit, before=0, after=after)
        for unit, after in (("GPUs", 1), ("addresses", 1), ("GB", 1), ("rules", 2))
    )
    capacity = tuple(row(unit, *each) for unit in ("GPU", "TPU chip", "node") for each in numbers)
    made = msgspec.structs.replace(sample, capacity=capacity, quota=quota)
    lines = [
        each.partition(": ")[2]
        for each in text.render(made).splitlines()
        if each.startswith(("  L4 (", *(f"  {row.metric} in a" for row in quota)))
    ]
    nodes = ["1 node", "0 to 1 nodes", "2 -> 1 node", "1 -> 0 nodes", "1 -> 2 nodes"]
    assert lines == [
        *(
            ("" if "->" in each else "new, ") + each + (f", {each.replace('node', unit)}" if unit else "")
            for unit in ("GPU", "TPU chip", "")
            for each in nodes
        ),
        *("0 -> 1 GPU", "0 -> 1 address", "0 -> 1 GB", "0 -> 2 rules"),
    ]
    for plain in (markdown.render(made), re.sub(r"<[^>]+>", " ", page.render(made))):
        for said in ("1 GPU", "1 TPU chip", "1 address", "1 GB", "2 rules", "2 TPU chips"):
            assert re.search(rf"(?<!\d)[→ ] {said}\b", plain), said
        assert not re.search(r"→ 1 (GPUs|TPU chips|nodes|addresses)", plain)
