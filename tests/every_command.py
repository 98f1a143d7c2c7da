"""All commands, as click knows them, with what each needs to do something."""

from collections.abc import Iterator
from pathlib import Path

import click

from clusterprint.cli import group

Words = tuple[str, ...]


def every_command(within: click.Group = group) -> Iterator[tuple[Words, click.Command]]:
    """The words of each command, and the command: those of groups, not the groups."""
    context = click.Context(within)
    for name in within.list_commands(context):
        command = within.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from (((name, *words), each) for words, each in every_command(command))
        else:
            yield (name,), command


def about_clusters(command: click.Command) -> click.Parameter | None:
    """The argument of a command that names clusters, if it has one."""
    return next((each for each in command.params if "CLUSTER" in (each.metavar or "")), None)


def simulation(command: click.Command) -> click.Option | None:
    """The option of a command that keeps it from real clouds, if it has one."""
    options = (each for each in command.params if isinstance(each, click.Option))
    return next((each for each in options if "--simulate" in each.opts), None)


def arguments(command: click.Command, cluster: Path, folder: Path, *more: str) -> list[str | Path]:
    """A cluster or else a file, a simulated cloud in a folder, and of some `more` options those it has."""
    given: list[str | Path] = [cluster] if about_clusters(command) else []
    if not given and any(isinstance(each, click.Argument) and each.name == "file" for each in command.params):
        given = [folder / "env.list"]
    if simulate := simulation(command):
        given += ["--simulate"] if simulate.is_flag else ["--simulate", folder / "sim"]
    options = {option for each in command.params for option in each.opts}
    return [*given, *(each for each in more if each in options)]
