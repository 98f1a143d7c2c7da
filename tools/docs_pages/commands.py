"""docs/reference: commands, their exit codes, and what errors of Terraform mean."""

import json

import click

from clusterprint.cli import explain_pages
from clusterprint.cli import group as commands
from clusterprint.exit_codes import MEANINGS
from clusterprint.lifecycle.failures import FAILURES
from docs_pages.markup import ROOT, code_block, page, prose, table


def commands_page() -> str:
    """The help of every command."""
    parts = ["# Commands"]
    options = commands.context_settings["help_option_names"]
    context = click.Context(
        commands, info_name="clusterprint", terminal_width=explain_pages.WIDTH, help_option_names=options
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
    """Exit codes of the commands."""
    rows = [(str(int(code)), code.name.lower(), meaning) for code, meaning in MEANINGS.items()]
    intro = "Other signals end a command with 128 and their number."
    parts = ["# Exit codes", table(["code", "name", "meaning"], rows), intro]
    return page(parts, "clusterprint/exit_codes.py")


FAILURES_INTRO = """\
Terraform's own text is always shown, and below it what it means. Here is the same list, to search. `up`,
`down` and `status` recognize more texts of each than the samples below, which the tests hold."""


def failures_page() -> str:
    """Meanings of Terraform's errors, each with the texts by which they are recognized."""
    samples = json.loads((ROOT / "tests" / "data" / "terraform_errors.json").read_text("utf-8"))
    parts = ["# What errors of Terraform mean", FAILURES_INTRO]
    for failure in FAILURES:
        said = [each["said"].strip() for each in samples if each["is"] == failure.name]
        again = "It is tried again by itself, twice." if failure.transient else ""
        parts += [f"## {failure.name[0].upper()}{failure.name[1:]}", prose(failure.meaning), again]
        parts += [prose(failure.help), code_block("\n".join(said), "text") if said else ""]
    return page(parts, "clusterprint/lifecycle/failures.json")
