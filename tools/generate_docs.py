"""Rules and templates -> docs/rules.md and docs/gitops/.

    python tools/generate_docs.py           writes the pages
    python tools/generate_docs.py --check   compares, exit code 1 if a page is stale

What a reviewer of a change should see is committed: the list of all codes, and workflows as users get them.
The pages of codes and of the reference are made with the site (`docs_pages/site.py`). docs/gitops holds
generated files only: a file that is not made any more is removed.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from docs_pages.problems import topics_page  # noqa: E402 - the checkout first

from clusterprint.gitops.fill import TEMPLATES, Filled, Values, fill  # noqa: E402

FOLDERS = ("docs/gitops",)
#: What the templates of `clusterprint init gitops` are filled with to be shown.
EXAMPLE = Values(source="OWNER/clusterprint@v1.0.0", blueprints="blueprints", branch="main")


def generate() -> dict[str, str]:
    """Make every page: path -> content."""
    made = {"docs/rules.md": topics_page()}
    made |= {f"docs/gitops/{each.template.file}": workflow(each) for each in fill(TEMPLATES, EXAMPLE)}
    return made


def workflow(filled: Filled) -> str:
    """A file as `clusterprint init gitops` writes it, under a line that says where it goes."""
    return f"# {filled.template.target}, as `clusterprint init gitops` writes it\n{filled.text}"


def stale_pages(made: dict[str, str]) -> list[str]:
    """Pages that are missing, different, or not made any more."""
    different = [
        name
        for name, text in made.items()
        if not (ROOT / name).is_file() or (ROOT / name).read_text("utf-8") != text
    ]
    return [*different, *leftover_pages(made)]


def leftover_pages(made: dict[str, str]) -> list[str]:
    """Pages in the generated folders that are not made any more."""
    there = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*")) if file.is_file()]
    return [name for file in there if (name := file.relative_to(ROOT).as_posix()) not in made]


def main() -> int:
    """Write the pages, or compare them."""
    made = generate()
    if "--check" in sys.argv[1:]:
        stale = stale_pages(made)
        if stale:
            print(f"stale: {', '.join(stale)}; run: make generate")
        return 1 if stale else 0
    for name in leftover_pages(made):
        (ROOT / name).unlink()
    for name, text in made.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
