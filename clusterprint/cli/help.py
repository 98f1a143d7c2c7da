"""`clusterprint help`: the same as --help."""

import click
from click.shell_completion import CompletionItem

from clusterprint.cli.output import say


def _commands(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    parent = ctx.parent.command if ctx.parent else None
    names = parent.list_commands(ctx) if isinstance(parent, click.Group) else []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]", shell_complete=_commands)
@click.pass_context
def help(ctx: click.Context, names: tuple[str, ...]) -> None:  # noqa: A001 - the command's name
    """Show the help of a command."""
    context = ctx.parent or ctx
    command = context.command
    for name in names:
        if not isinstance(command, click.Group):
            raise click.UsageError(f"{context.command_path} has no commands of its own", context)
        _, found, _ = command.resolve_command(context, [name])
        command = found or command
        context = click.Context(command, info_name=name, parent=context)
    say(command.get_help(context))
