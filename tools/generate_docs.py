"""Rules, schema, commands, catalog and templates -> docs/rules/, docs/reference/ and docs/gitops/.

    python tools/generate_docs.py           writes the pages
    python tools/generate_docs.py --check   compares, exit code 1 if a page is stale

These folders hold generated pages only: a page that is not made any more is removed.
"""

import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from clusterprint import catalog, describe, masking, rules  # noqa: E402 - the checkout first, then the import
from clusterprint.cli import azure_sizes, machines, pages, topics, tpus  # noqa: E402
from clusterprint.cli import group as commands  # noqa: E402
from clusterprint.cli.rights import by_api  # noqa: E402
from clusterprint.exit_codes import MEANINGS  # noqa: E402
from clusterprint.gitops.fill import TEMPLATES, Filled, Values, fill  # noqa: E402
from clusterprint.lifecycle.failures import FAILURES  # noqa: E402
from clusterprint.load import codes as load_codes  # noqa: E402
from clusterprint.rights import TASKS, Need, Scope, needs, roles_for, roles_for_pull_requests, together  # noqa: E402
from clusterprint.topic import Topic  # noqa: E402

CASES = ROOT / "tests" / "cases"
LONGEST = 4000  # characters of an example
FOLDERS = ("docs/rules", "docs/reference", "docs/gitops")
#: What the templates of `clusterprint init gitops` are filled with to be shown.
EXAMPLE = Values(source="OWNER/clusterprint@v1.0.0", blueprints="blueprints", branch="main")


def generate() -> dict[str, str]:
    """Make every page: path -> content."""
    made = {f"docs/rules/{topic.code}.md": topic_page(topic) for topic in topics.all_topics().values()}
    made["docs/rules/index.md"] = topics_page()
    made |= {f"docs/reference/{kind.name}.md": kind_page(kind) for kind in describe.kinds()}
    made["docs/reference/cli.md"] = commands_page()
    made["docs/reference/exit-codes.md"] = exit_codes_page()
    made["docs/reference/failures.md"] = failures_page()
    made["docs/reference/machines.md"] = machines_page()
    made["docs/reference/rights.md"] = rights_page()
    made |= {f"docs/gitops/{each.template.file}": workflow(each) for each in fill(TEMPLATES, EXAMPLE)}
    return made


def page(parts: Iterable[str], *sources: str) -> str:
    """A page of parts, which says at its end what it is made from."""
    links = " and ".join(f"[{source}](../../{source})" for source in sources)
    footer = f"---\n\n*Generated from {links} by `make generate`. Changes to this page are overwritten.*"
    return "\n\n".join([*(part for part in parts if part), footer]) + "\n"


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows as a Markdown table."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def code_block(text: str, language: str) -> str:
    """Text as it is."""
    return f"```{language}\n{text.rstrip()}\n```"


def prose(text: str) -> str:
    """Plain text as Markdown: what looks like markup outside of `code` is none."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([*<\[])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


# ---- docs/rules


def topics_page() -> str:
    """All codes, group by group."""
    introduction = (
        "`clusterprint validate` reports each at its place; `clusterprint explain CODE` prints its page. "
        "What can be ignored is ignored by a comment `# clusterprint: ignore[CODE] reason` on its line or "
        "the line above it; there has to be a reason."
    )
    parts = ["# Everything that can be wrong", introduction]
    for group in topics.groups():
        rows = [
            (
                f"[{topic.code}]({topic.code}.md)",
                prose(topic.title),
                topic.severity.value,
                "yes" if topic.code in rules.soft_codes() else "no",
            )
            for topic in group.topics
        ]
        parts += [f"## {prose(group.title)}", table(("Code", "What", "Severity", "Can be ignored"), rows)]
    return page(parts, "clusterprint/rules", "clusterprint/load/codes.py", "clusterprint/validate/codes.py")


def topic_page(topic: Topic) -> str:
    """One code: what, why, what to do, and how it looks in a blueprint."""
    about = [
        ("severity", topic.severity.value),
        ("name", f"`{topic.name}`"),
        ("source", prose(topic.source)),
        ("ignore", pages.ignoring(topic)),
    ]
    parts = [
        f"# {topic.code}: {prose(topic.title)}",
        prose(topic.why),
        prose(topic.help),
        table(("", ""), about),
        *examples(topic),
    ]
    return page(parts, source_of(topic))


def source_of(topic: Topic) -> str:
    """The file that a topic is written in."""
    for each in rules.all_rules():
        if each.topic == topic:
            return each.check.__module__.replace(".", "/") + ".py"
    return "clusterprint/load/codes.py" if topic in load_codes.TOPICS else "clusterprint/validate/codes.py"


def examples(topic: Topic) -> list[str]:
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


# ---- docs/reference


def kind_page(kind: describe.Field) -> str:
    """All fields of a kind, a table for each map."""
    parts = [f"# Kind `{kind.name}`", prose(kind.description)]
    parts.append(
        f"`clusterprint explain {kind.name}.KEY` prints the same in a terminal. Required keys are **bold**; "
        "a key that is left out has its default."
    )
    for field in describe.all_fields(kind):
        if field.keys:
            parts += map_section(field, kind)
    return page(parts, f"schema/{kind.name}.schema.json")


def map_section(field: describe.Field, kind: describe.Field) -> list[str]:
    """One map, or a list of them: what it is, its keys, an example."""
    parts = [] if field is kind else [f"## {place(field)}", prose(field.description), facts_line(field)]
    parts.append(table(("Key", "Takes", "Meaning"), map(key_row, field.keys)))
    parts.append(code_block(describe.example_in_place(field), "yaml"))
    return parts


def place(field: describe.Field) -> str:
    """A field without its kind, which the page is about anyway."""
    return field.name.partition(".")[2]


def facts_line(field: describe.Field) -> str:
    """What a map takes, when there is more to say than its keys."""
    a_map = describe.type_in_words({"type": "object"})
    told = [
        fact_in_words(heading, text) for heading, text in describe.facts(field) if text not in (a_map, "no")
    ]
    return "; ".join(told)


def key_row(field: describe.Field) -> tuple[str, str, str]:
    """One line of a table of keys."""
    name = f"[`{field.key}`](#{place(field).replace('.', '')})" if field.keys else f"`{field.key}`"
    takes = "<br>".join(fact_in_words(*fact) for fact in describe.facts(field) if fact[0] != "required")
    meaning = [prose(field.description)]
    for value, description in describe.allowed(field.schema):
        meaning.append(f"`{value}`: {prose(description)}" if description else f"`{value}`")
    return f"**{name}**" if field.required else name, takes, "<br>".join(meaning)


def fact_in_words(heading: str, text: str) -> str:
    """A fact in a line of its own."""
    if heading == "required":
        return "required" if text == "yes" else "optional"
    if heading == "default":
        return f"default: `{text}`"
    return prose(text) if heading in ("type", "form", "limits") else f"{heading}: {prose(text)}"


def commands_page() -> str:
    """The help of every command."""
    parts = ["# Commands"]
    options = commands.context_settings["help_option_names"]
    context = click.Context(
        commands, info_name="clusterprint", terminal_width=pages.WIDTH, help_option_names=options
    )
    parts.append(code_block(commands.get_help(context), "text"))
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        if command is not None:
            parts += command_section(command, name, context)
    return page(parts, "clusterprint/cli")


def command_section(command: click.Command, name: str, context: click.Context) -> list[str]:
    """The help of a command, and of those in it."""
    own = click.Context(command, context, name)
    if isinstance(command, click.Group):
        return [
            part
            for inner in command.commands.values()
            for part in command_section(inner, f"{name} {inner.name}", context)
        ]
    return [f"## clusterprint {name}", code_block(command.get_help(own), "text")]


def exit_codes_page() -> str:
    """What commands tell whoever called them."""
    rows = [(str(int(code)), code.name.lower(), meaning) for code, meaning in MEANINGS.items()]
    intro = "Other signals end a command with 128 and their number."
    parts = ["# Exit codes", table(["code", "name", "meaning"], rows), intro]
    return page(parts, "clusterprint/exit_codes.py")


FAILURES_INTRO = """\
Terraform's own text is always shown, and below it what it means. Here is the same list, to search. `up`,
`down` and `status` recognize more texts of each than the samples below, which the tests hold."""


def failures_page() -> str:
    """What Terraform's errors mean, each with texts that they are known by."""
    samples = json.loads((ROOT / "tests" / "data" / "terraform_errors.json").read_text("utf-8"))
    parts = ["# What errors of Terraform mean", FAILURES_INTRO]
    for failure in FAILURES:
        said = [each["said"].strip() for each in samples if each["is"] == failure.name]
        again = "It is tried again by itself, twice." if failure.transient else ""
        parts += [f"## {failure.name[0].upper()}{failure.name[1:]}", prose(failure.meaning), again]
        parts += [prose(failure.way_out), code_block("\n".join(said), "text") if said else ""]
    return page(parts, "clusterprint/lifecycle/failures.py")


def machines_page() -> str:
    """The machine types of the catalog."""

    def listed(rows: Iterable[Sequence[str]]) -> list[list[str]]:
        return [[cell if column else f"`{cell}`" for column, cell in enumerate(row)] for row in rows]

    return page(
        [
            "# Machine types with accelerators",
            "`clusterprint machines NAME` shows everything about one, and where it is known from.",
            "## Google Cloud",
            table(machines.HEADER, listed(map(machines.row, catalog.machines()))),
            prose(machines.LEGEND.strip().replace("\n", "\\\n")),
            "## Google Cloud, with TPUs",
            table(tpus.HEADER, listed(tpus.row(*each) for each in tpus.everything())),
            prose(tpus.LEGEND.strip().replace("\n", "\\\n")),
            "## Azure",
            table(azure_sizes.HEADER, listed(map(azure_sizes.row, catalog.azure_sizes()))),
            prose(azure_sizes.LEGEND.strip().replace("\n", "\\\n")),
        ],
        "clusterprint/catalog/google",
        "clusterprint/catalog/azure",
    )


GOLDENS = ROOT / "tests" / "goldens"
#: How a place is called where it stands for those of all blueprints.
PLACES = {
    "project": "the project", "shared": "another project whose network is used, or with secrets",
    "state": "the bucket of the state", "bucket": "another bucket that is there",
    "key": "a key of Cloud KMS (`grant_kms_keys`)",
    "subscription": "the subscription", "group": "the resource group",
}  # fmt: skip


RIGHTS = """\
# Rights of who deploys

What an account needs that runs Terraform on the stacks of a kind: for all that the blueprints of this
repository make, together. `clusterprint rights BLUEPRINT` says what one blueprint needs, which is less,
and `--custom-role` writes a role with exactly that. What people need who only log in to machines stands
in [blueprints.md](../blueprints.md).

- **plan** reads everything, and writes the lock of the state. Where charts are installed, it reads their
  releases, which are secrets of the cluster: no predefined role gives that without the right to change
  them, a custom role does. The same goes for the IAM policy of a bucket that is there (`--custom-role plan
  --scope gs://NAME`).
- **plans of pull requests**, as `clusterprint init gitops` sets them up, lock nothing and look into no
  cluster: they need less, which has a row of its own where it differs.
- **apply** may create, change, replace and delete. Whoever may set the IAM policy of a project can grant
  anything in it to anybody: let people review what this account applies, or limit it to some roles by a
  condition.
- **destroy** reads and deletes.

Azure's provider registers services with the subscription before its first plan, if the blueprint lets it and
they are not registered yet: that plan needs what apply needs there, or somebody registers them before.

Service agents of the clouds (for reservations, networks and accounts of other projects) are no part of
this. The permissions are from documentation; the tests hold them to what the simulated cloud is asked
for, not to a real one."""


def rights_page() -> str:
    """What whoever deploys needs, by kind: of all blueprints that are synthesized in the tests together."""
    parts = [RIGHTS]
    for kind in describe.kinds():
        parts.append(f"## {kind.name}")
        for need in needs_of_kind(kind.name):
            parts += rights_of(need)
    return page(parts, "clusterprint/catalog/rights")


def needs_of_kind(kind: str) -> list[Need]:
    """The needs of all goldens of a kind, each sort of place once."""
    found = []
    for golden in sorted(GOLDENS.glob("*.tf.json")):
        name = golden.name.replace(".tf.json", ".yaml")
        blueprint = next(each for each in (ROOT / "blueprints" / name, GOLDENS / name) if each.exists())
        if re.search(rf"^kind: {kind}$", blueprint.read_text("utf-8"), re.MULTILINE):
            document = json.loads(golden.read_text("utf-8"))
            found += needs([document] if "terraform" in document else document.values())
    return together(each._replace(scope=Scope(each.scope.sort, PLACES[each.scope.sort])) for each in found)


def rights_of(need: Need) -> list[str]:
    """One place: roles by task, then permissions."""
    by_task: dict[str, list[str]] = {task: roles_for(need, task) for task in TASKS}
    if (fewer := roles_for_pull_requests(need)) != by_task["plan"]:
        by_task = {"plan": by_task["plan"], "plan, of a pull request": fewer, **by_task}
    rows = [
        (task, "<br>".join(f"`{role}`" if "/" in role else role for role in roles))
        for task, roles in by_task.items()
    ]
    parts = [
        f"### {need.scope.name[0].upper()}{need.scope.name[1:]}",
        table(("to", "predefined roles"), rows),
    ]
    for task in TASKS:
        listed = [(f"`{api}`", ", ".join(names)) for api, names in by_api(need.permissions[task])]
        if listed:
            details = table(("API", "permissions"), listed)
            parts.append(f"<details><summary>permissions to {task}</summary>\n\n{details}\n\n</details>")
    return parts


# ---- docs/gitops


def workflow(filled: Filled) -> str:
    """A file as `clusterprint init gitops` writes it, under a line that says where it goes."""
    return f"# {filled.template.target}, as `clusterprint init gitops` writes it\n{filled.text}"


# ---- the files


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
