"""The documentation is right: commands are run, their output compared, blueprints validated.

`--update-docs` writes what is printed now into the pages, where it differs; review the difference like code.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from command_lines import lines_in, problem_of, texts_of
from pages import Block, Command, blocks, commands, matches
from support import BLUEPRINTS, ROOT
from test_examples import FILES, SMALL, read
from warm import Warm

from clusterprint import describe
from clusterprint.load import load
from clusterprint.validate import validate

#: What is generated is tested where it is made.
GENERATED = {ROOT / "docs" / "gitops", ROOT / "docs" / "rules.md"}
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if not GENERATED & {page, *page.parents}),
]
#: Programs that pages run besides ours: of any machine, and without a shell.
PLAIN = {"cat", "cp", "diff", "git", "head", "ls", "mkdir", "mv"}
HARMLESS = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "me"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "me@example.com"),
}


#: Where users begin: of the pages that run Terraform, the one that `make test` follows.
FIRST = ROOT / "docs" / "start.md"
#: Commands that synthesize stacks, which takes seconds.
SYNTHESIZING = {"synth", "review", "quota", "rights"}


def marks_of(page: Path) -> list[pytest.MarkDecorator]:
    """How a page is told apart: whether it takes seconds, and Terraform."""
    run = (block for block in blocks(page) if block.language == "console" and "not run" not in block.told)
    words = {word for block in run for command in commands(block) for word in command.words}
    if "--simulate" in words:
        marks = [pytest.mark.slow, pytest.mark.terraform]
        return [*marks, pytest.mark.covering] if page == FIRST else marks
    return [pytest.mark.slow] if words & SYNTHESIZING else []


def with_marks(pages: list[Path]) -> Iterator[Any]:
    for page in pages:
        yield pytest.param(page, id=page.relative_to(ROOT).as_posix(), marks=marks_of(page))


@pytest.mark.parametrize("page", [*with_marks(PAGES)])
def test_what_a_page_shows_is_so(
    page: Path, warm: Warm, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """All of a page in one folder, from its first block to its last."""
    wrong: list[str] = []
    news: dict[Command, str] = {}
    for block in blocks(page):
        at = f"{page.relative_to(ROOT)}:{block.line}"
        if "in a checkout" in block.told:
            shutil.copytree(BLUEPRINTS, tmp_path / "blueprints", dirs_exist_ok=True)
        if block.title:
            (tmp_path / block.title).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block.title).write_text(block.text, "utf-8")
        if block.language == "yaml":
            wrong += [f"{at}: {each}" for each in problems_of(block, tmp_path)]
        elif block.language == "console" and "not run" in block.told:
            wrong += [f"{at}: {each}" for each in misspelt(block)]
        elif block.language == "console":
            wrong += [f"{at}: {each}" for each in run(block, warm, tmp_path, news)]
    if request.config.getoption("--update-docs"):
        rewrite(page, news)
    assert not wrong, "\n".join(wrong)


# ---- blueprints


def problems_of(block: Block, folder: Path) -> list[str]:
    """The problems of a block of YAML."""
    if block.told.get("part of"):
        return problems_of_part(block, folder)
    if "no blueprint" in block.told or (block.title and not is_blueprint(block.text)):
        read(block.text)
        return []
    if not is_blueprint(block.text):
        return ["neither a blueprint nor a file: say what it is part of"]
    if not block.title:
        folder = with_named_files(folder)
    file = folder / (block.title or "shown.yaml")
    file.write_text(block.text, "utf-8")
    said = said_of(file)
    if "wrong on purpose" in block.told:
        return [] if said else ["nothing is wrong with it"]
    return said


def is_blueprint(text: str) -> bool:
    data = read(text)
    return isinstance(data, dict) and {"clusterprint", "kind"} <= {*data}


def with_named_files(folder: Path) -> Path:
    """A folder for what has no name on the page; files that examples name are there."""
    made = folder / "unnamed"
    for name, text in FILES.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text)
    return made


def said_of(file: Path) -> list[str]:
    """Codes and messages of a blueprint."""
    loaded = load(file, file.name)
    found = [*loaded.diagnostics, *(validate(loaded.document).diagnostics if loaded.document else ())]
    return [f"{each.code} {each.message}" for each in found]


def problems_of_part(block: Block, folder: Path) -> list[str]:
    """The problems of a part of a blueprint, apart from those of a whole one."""
    excused = {*block.told.get("with", "").split()}
    whole = laid_over(read(SMALL[block.told["part of"]]), read(block.text))
    file = with_named_files(folder) / "part.yaml"
    file.write_text(describe.yaml_block(whole), "utf-8")
    said = said_of(file)
    unused = excused - {each.split()[0] for each in said}
    return [
        *(each for each in said if each.split()[0] not in excused),
        *(f"{code} is excused and not said" for code in sorted(unused)),
    ]


def laid_over(blueprint: Any, part: Any) -> Any:
    """A blueprint with a part of one, down to lists, which are replaced."""
    if not (isinstance(blueprint, dict) and isinstance(part, dict)):
        return part
    both = {key: laid_over(blueprint[key], part[key]) for key in blueprint.keys() & part.keys()}
    return {**blueprint, **part, **both}


# ---- commands


def run(block: Block, warm: Warm, folder: Path, news: dict[Command, str]) -> Iterator[str]:
    """Run a block; what differs from what the page says."""
    typed = commands(block)
    for command in typed:
        environment = {**os.environ, **HARMLESS, "PYTHONPATH": str(ROOT), "TERM": "dumb"}
        environment.pop("FORCE_COLOR", None)
        program, *arguments = command.words
        if program == "clusterprint":
            done = warm.run(arguments, folder, environment, together=True)
        elif program in PLAIN:
            done = subprocess.run(
                [program, *arguments], cwd=folder, env=environment, check=False, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
        else:
            yield f"{program} is not run by tests: say `<!-- not run: why -->`"
            continue
        expected = int(block.told.get("exits with", 0)) if command is typed[-1] else 0
        if done.returncode != expected:
            yield f"{command.typed!r} exits with {done.returncode}, not {expected}:\n{done.stdout}"
        if command.printed and not matches(command.printed, done.stdout):
            news[command] = done.stdout
            yield f"{command.typed!r} prints:\n{done.stdout}"


def misspelt(block: Block) -> Iterator[str]:
    """The unknown commands and options in commands that cannot be run here."""
    for command in commands(block):
        words = command.words
        for at, word in enumerate(words):
            ours = word == "clusterprint" and (at == 0 or words[at - 1] in {"|", "&&", ";", "do"})
            if problem := ours and problem_of(until_the_next(words[at + 1 :])):
                yield f"{command.typed!r}: {problem}"


def until_the_next(words: list[str]) -> list[str]:
    """The words of a command, without those of the next one in the same line."""
    return [*takewhile(lambda word: word not in {"|", "&&", ";", "||", ">"}, words)]


#: Words of all guides and task pages together, outside of blocks of code.
MOST_WORDS = 30_000


def words_of(text: str) -> int:
    """Words that a reader reads: not those of code blocks, comments and the lines of tables."""
    prose = re.sub(r"^( *)```.*?^\1```$|<!--.*?-->", "", text, flags=re.MULTILINE | re.DOTALL)
    return sum(any(each.isalnum() for each in word) for word in prose.split())


def test_guides_stay_short_enough_to_be_read() -> None:
    guides = [page for page in PAGES if page.is_relative_to(ROOT / "docs")]
    counted = {page.relative_to(ROOT).as_posix(): words_of(page.read_text("utf-8")) for page in guides}
    longest = ", ".join(sorted(counted, key=lambda page: -counted[page])[:5])
    said = f"guides have {sum(counted.values())} words, at most {MOST_WORDS}; the longest: {longest}"
    assert sum(counted.values()) <= MOST_WORDS, said


def test_links_to_pages_have_words() -> None:
    """A reader of the site sees no files."""
    named = [
        f"{page.relative_to(ROOT)}: {found[0]}"
        for page in PAGES
        for found in re.finditer(r"\[`?[\w/-]+\.md`?\]\(", page.read_text("utf-8"))
    ]
    assert named == []


def test_words_of_code_are_not_counted() -> None:
    assert words_of("Two words\n\n```yaml\na: b\n```\n\n| --- |\n<!-- no -->\n") == 2


PYTHON = [
    *(ROOT / "clusterprint").rglob("*.py"),
    *(ROOT / "stacks").rglob("*.py"),
    *(ROOT / "simcloud/clusterprint_simcloud").rglob("*.py"),
]
TEXTS = [
    *PAGES,
    *(ROOT / "clusterprint/gitops").rglob("*.y*ml"),
    *(ROOT / f"{folder}/README.md" for folder in ("core", "simcloud", "editors/vscode")),
    *(ROOT / name for name in ("CONTRIBUTING.md", "ARCHITECTURE.md", "RELEASING.md", "action.yml")),
]


def test_every_line_of_the_command_that_people_read_fits() -> None:
    """In messages, helps, documentation of rules, outputs of stacks and pages; capitals are placeholders."""
    texts = [(file, text) for file in PYTHON for text in texts_of(file)]
    texts += [(file, file.read_text("utf-8")) for file in TEXTS]
    lines = [(file, words) for file, text in texts for words in lines_in(text)]
    wrong = [
        f"{file.relative_to(ROOT)}: clusterprint {' '.join(words)}: {problem}"
        for file, words in lines
        if (problem := problem_of(words))
    ]
    assert not wrong, "\n".join(wrong)
    assert len(lines) > 300


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run `clusterprint upp first`", "no such command: upp"),
        ("next: clusterprint status --simulat DIR first.yaml", "No such option '--simulat'"),
        ("`clusterprint draw a.yaml b.yaml`", "one argument too many: b.yaml"),
        ("`clusterprint image --submit`", "CLUSTER is missing"),
        ("`clusterprint validate --format xml first`", "'xml' is not one of"),
        ("`clusterprint validate --format FORMAT first`", ""),
        ("clusterprint up creates it (again)", ""),
        ("`clusterprint up`", ""),
        ("```console\n$ clusterprint draw a.yaml \\\n  b.yaml\n```", "one argument too many: b.yaml"),
    ],
)
def test_a_line_that_does_not_fit_is_found(text: str, said: str) -> None:
    problems = [problem_of(words) for words in lines_in(text)]
    assert [said in each for each in problems] == [True]
    assert bool(said) is any(problems)


def rewrite(page: Path, news: dict[Command, str]) -> None:
    """Put what was printed in the place of what the page says."""
    lines = page.read_text("utf-8").splitlines()
    for command, printed in sorted(news.items(), key=lambda each: -each[0].line):
        first = next(at for at in range(command.line, len(lines)) if not lines[at - 1].endswith("\\"))
        lines[first : first + len(command.printed)] = [each.rstrip() for each in printed.splitlines()]
    page.write_text("\n".join(lines) + "\n", "utf-8")


# ---- the harness itself


@pytest.mark.parametrize(
    ("promised", "printed", "fits"),
    [
        (("a",), "a\n", True),
        (("a", "..."), "a\nb\nc\n", True),
        (("took ... s",), "took 12 s\n", True),
        (("a",), "a\nb\n", False),
        (("a", "...", "d"), "a\nb\nc\n", False),
        (("took ... s",), "took 12 s\nmore\n", False),
    ],
)
def test_an_output_fits_what_is_promised(promised: tuple[str, ...], printed: str, fits: bool) -> None:
    assert matches(promised, printed) is fits


def test_a_page_that_is_wrong_is_found(warm: Warm, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '```yaml title="a.yaml"\nclusterprint: v1\nkind: vm\n```\n'
        "```console\n$ clusterprint explain GCP001\nno such output\n$ clusterprint validate a.yaml\n```\n"
        "<!-- not run: no account -->\n```console\n$ clusterprint up --simulat x\n$ clusterprint upp\n```\n"
    )
    blueprint, ran, parsed = blocks(page)
    (tmp_path / "a.yaml").write_text(blueprint.text)
    assert any("BP" in each for each in problems_of(blueprint, tmp_path))
    said = [*run(ran, warm, tmp_path, {})]
    assert ["prints" in said[0], "exits with 1, not 0" in said[1]] == [True, True]
    assert ["No such option" in each or "no such command" in each for each in misspelt(parsed)] == [
        True,
        True,
    ]
