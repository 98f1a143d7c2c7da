"""docs/rules.md, the list of codes, and a page of the site for each code."""

import re
from pathlib import Path

from clusterprint import masking, rules
from clusterprint.cli import explain_pages, explain_topics
from clusterprint.explanation import Explanation
from clusterprint.load import codes as load_codes
from clusterprint.rules.relation_docs import documented
from docs_pages.markup import ROOT, code_block, page, prose, table

CASES = ROOT / "tests" / "cases"
LONGEST = 4000  # characters of an example


def topics_page() -> str:
    """All codes, group by group."""
    introduction = (
        "`clusterprint validate` reports each at its place; `clusterprint explain CODE` prints its page. "
        "What can be ignored is ignored by a comment `# clusterprint: ignore[CODE] reason` on its line or "
        "the line above it; there has to be a reason."
    )
    parts = ["# Everything that can be wrong", introduction]
    for group in explain_topics.groups():
        rows = [
            (
                f"`{topic.code}`",
                prose(topic.title),
                topic.severity.value,
                "yes" if topic.code in rules.soft_codes() else "no",
            )
            for topic in group.topics
        ]
        parts += [f"## {prose(group.title)}", table(("Code", "What", "Severity", "Can be ignored"), rows)]
    sources = [f"clusterprint/{room}" for room in ("rules", "load/codes.json", "validate/codes.json")]
    return page(parts, *sources, up="..")


def topic_page(topic: Explanation) -> str:
    """One code: what, why, what to do, and how it looks in a blueprint."""
    about = [
        ("severity", topic.severity.value),
        ("name", f"`{topic.name}`"),
        ("source", prose(topic.source)),
        ("ignore", explain_pages.ignoring(topic)),
    ]
    parts = [
        f"# {topic.code}: {prose(topic.title)}",
        prose(topic.why),
        prose(topic.help),
        table(("", ""), about),
        *examples(topic),
    ]
    return page(parts, source_of(topic))


def source_of(topic: Explanation) -> str:
    """The file that a topic is written in."""
    for folder, several in rules.by_folder():
        for each in several:
            if each.topic == topic:
                is_declared = topic.code in documented(folder)
                module = each.check.__module__.replace(".", "/")
                return f"clusterprint/rules/{folder}/relations.toml" if is_declared else f"{module}.py"
    return (
        "clusterprint/load/codes.json" if topic in load_codes.TOPICS else "clusterprint/validate/codes.json"
    )


def examples(topic: Explanation) -> list[str]:
    """The shortest blueprint that has the problem, and the shortest of its cases that has not."""
    own = cases(CASES / "rules" / topic.code)
    # Mistakes that are not about sense are collected by step; one with several problems would confuse.
    others = [*cases(CASES / "load"), *cases(CASES / "schema")]
    bad = [case for case in own if topic.code in expected(case)]
    bad = bad or [case for case in others if expected(case) == {topic.code}]
    good = [case for case in own if not expected(case)]
    return [*example("A blueprint with this problem", bad), *example("One without", good)]


Case = dict[str, str]


def cases(folder: Path) -> list[Case]:
    """The cases in a folder that can be shown, each as its files: name -> text."""
    alone = [[file] for file in sorted(folder.glob("*.yaml"))]
    fleets = [sorted(each.glob("*.yaml")) for each in sorted(folder.glob("fleet-*"))]
    found = [{file.name: file.read_text("utf-8", "replace") for file in files} for files in alone + fleets]
    return [case for case in found if can_be_shown("".join(case.values()))]


def can_be_shown(text: str) -> bool:
    """Whether a page is a good place for it; some cases are about being too long, or about odd bytes."""
    return len(text) <= LONGEST and re.sub(r"[\n\t]", "", text).isprintable()


def expected(case: Case) -> set[str]:
    """The codes that are found in a case."""
    comments = [comment for text in case.values() for comment in re.findall("# expect: (.+)", text)]
    return {
        code for comment in comments for code in re.findall(r"(?:error|warning)\[([A-Z]+[0-9]+)\]", comment)
    }


def example(title: str, candidates: list[Case]) -> list[str]:
    """The shortest of some cases, as code blocks; expectations become plain comments."""
    if not candidates:
        return []
    files = min(candidates, key=lambda case: sum(map(len, case.values())))
    parts = [f"## {title}"]
    for name, text in files.items():
        # The secrets in the cases are invented, but scanners of this page cannot know that.
        shown = masking.mask(text.replace("# expect: ", "# "))
        parts += [f"`{name}`:" if len(files) > 1 else "", code_block(shown, "yaml")]
    return parts
