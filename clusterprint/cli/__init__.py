"""The command line: parse options, call one step, choose a renderer, exit.

Each command is a file of its own and is loaded when it is called, so that `validate` never pays for
the engine.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import pairwise
from keyword import iskeyword
from os import environ
from typing import Any, ClassVar

import click

from clusterprint import __version__
from clusterprint.cli.output import say
from clusterprint.errors import ClusterprintError
from clusterprint.masking import mask
from clusterprint.words.guesses import alike

# How many new objects are worth a look for garbage: what is imported is none.
_OBJECTS = 100_000


class Commands(click.Group):
    """The command group; finds a command by its name in this folder."""

    #: As docs/commands.md has them, in the order that people use them.
    GROUPS: ClassVar[dict[str, tuple[str, ...]]] = {
        "Write": ("init", "import", "env-file", "choose", "fmt", "schema", "lsp", "mcp"),
        "Check": (
            *("validate", "lint", "explain", "machines", "show", "draw", "list", "vendor", "rights"),
            *("quota", "what-if", "synth"),
        ),
        "Review": ("review", "plan", "policy"),
        "Prove": ("prove", "evidence", "bundle"),
        "Run": (
            *("doctor", "image", "up", "adopt", "down", "status", "outputs", "ssh", "logs", "kubeconfig"),
            *("dashboard", "submit", "jobs", "results"),
        ),
        "Help": ("help",),
    }
    NAMES: ClassVar[tuple[str, ...]] = tuple(name for names in GROUPS.values() for name in names)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All commands, in the order that people use them."""
        return [*self.NAMES]  # `list` is a command here, once it is loaded

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As click does, in groups."""
        width = formatter.width - 6 - max(map(len, self.NAMES))
        for title, names in self.GROUPS.items():
            found = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(title):
                formatter.write_dl([(name, each.get_short_help_str(width)) for name, each in found if each])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of this name, or None."""
        if cmd_name not in self.NAMES:
            return None
        name = file_of(cmd_name)
        command: click.Command = getattr(import_module(f"{__name__}.{name}"), name)
        return command

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """As click does; nothing secret is in what it refuses."""
        with _masked():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """As click does, with the settings of the repository; nothing secret is in what a command refuses."""
        given = [*ctx._protected_args, *ctx.args]  # noqa: SLF001 - click has no other name for the command
        if not {"--help", "-h", "help"} & {*given[:1], *given[-1:]}:
            from clusterprint.cli.settings import settings

            ctx.default_map = settings(self).defaults(self.NAMES)
        with _masked():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a suggestion for a misspelt command."""
        try:
            name, command, rest = super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = alike(args[0], self.NAMES)
            raise click.UsageError(
                f"{error.format_message()}{f' Did you mean {near[0]!r}?' if near else ''}", ctx
            ) from None
        if command:
            _refuse_options_as_values(command, rest)
        return name, command, rest


def file_of(command: str) -> str:
    """The module of a command in this folder, and its function there: a name that Python allows."""
    name = command.replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


def _refuse_options_as_values(command: click.Command, args: list[str]) -> None:
    """Raises UsageError for `--simulate --yes`, of which click makes a folder `--yes`."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    names = {name for each in options for name in (*each.opts, *each.secondary_opts)}
    # A text as `flag_value` stands for a value that is left out.
    needs = [each for each in options if not (each.is_flag or each.count or isinstance(each.flag_value, str))]
    with_value = {name for each in needs for name in each.opts}
    for name, value in pairwise(args[: args.index("--")] if "--" in args else args):
        if name in with_value and value.partition("=")[0] in names:
            raise click.UsageError(f"{name} needs a value, and {value} is an option", click.Context(command))


@contextmanager
def _masked() -> Iterator[None]:
    """Mask click's own messages of wrong usage: they repeat arguments."""
    try:
        yield
    except click.ClickException as error:
        error.message = mask(error.message)  # type: ignore[misc] # there is no other way into its words
        raise


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="clusterprint")
def group() -> None:
    """Validate blueprints of GPU and TPU clusters, and generate Terraform from them.

    A blueprint is a short YAML file that describes a cluster. Exit codes: 0 done, 1 problems in a blueprint
    (of `doctor`: something is missing), 2 wrong usage, 3 a failure of this machine, of a cloud or of
    clusterprint, 4 changes or losses, 5 changes that the policy forbids, 6 not confirmed, 7 nothing to do
    (with --detailed-exitcode), 130 interrupted, 143 terminated.
    """


def main() -> None:
    """Entry point of the `clusterprint` command."""
    from clusterprint.cli import process_end

    gc.set_threshold(_OBJECTS)
    process_end.clean_up_when_stopped()
    process_end.name_streams()
    try:
        ended = group.main(prog_name="clusterprint", standalone_mode=False)
        code = ended if isinstance(ended, int) else 0
    except click.Abort:
        say("interrupted", err=True)
        code = process_end.INTERRUPTED
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except Exception as error:  # noqa: BLE001 - the border: nothing gets past it but in words
        code = _say(error)
    process_end.leave(code)


def _say(error: Exception) -> int:
    """Print in one line what went wrong; return the exit code."""
    from clusterprint.cli import process_end

    known = process_end.of_the_machine(error) if isinstance(error, OSError) else error
    if isinstance(known, ClusterprintError):
        with suppress(OSError):  # where nothing can be written, the exit code has to do
            say(f"error: {known}", err=True)
        return known.exit_code
    # Whatever was not foreseen is our mistake.
    if environ.get("CLUSTERPRINT_TRACEBACK"):
        raise error
    say(f"error: clusterprint failed: {type(error).__name__}: {error}", err=True)
    say("please report this, with the output of CLUSTERPRINT_TRACEBACK=1", err=True)
    return 3
