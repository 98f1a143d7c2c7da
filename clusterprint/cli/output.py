"""The one way by which text leaves a command: what looks like a secret is masked on it.

Diagnostics and reports are masked before, where they are still texts of their own; this is for everything
else that a command prints (errors, plans, names of files), and for what nobody thought of. `click.echo` and
`print` are forbidden elsewhere, in pyproject.toml.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from clusterprint.masking import mask

# How a line of output tells the runner of GitHub to do something: at its beginning, or, as was usual once,
# anywhere in it.
_COMMAND = re.compile(r"(?:^|(?<=[\r\n]))(\s*)::(?=[-\w]+[ :])")
_OLDER_COMMAND = "##["
# What a terminal takes for itself, except for ends of lines and colours.
_ACTING = re.compile(r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]|\r(?!\n)")

Command = TypeVar("Command", bound=Callable[..., Any])

#: For commands that print text or JSON.
FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="Output format.",
)


def out_option(help_text: str, *, folder: bool = False, **more: Any) -> Callable[[Command], Command]:
    """The option -o, --out: a file to write, or a folder."""
    kind = click.Path(path_type=Path, file_okay=not folder, dir_okay=folder)
    return click.option("-o", "--out", type=kind, help=help_text, show_default="default" in more, **more)


def say(  # noqa: PLR0913 - as click.echo has them
    text: object,
    *,
    to: TextIO | None = None,
    err: bool = False,
    nl: bool = True,
    color: bool | None = None,
    commands: bool = False,
) -> None:
    """Print a text with secrets masked, to standard output, to standard error (`err`) or to a stream.

    Colours in it are kept as `color` says; without, where the text goes to a terminal. What else would act
    on a terminal is shown as an escape. What would be a command to the runner of GitHub is none any more;
    with `commands`, those that begin a line stay.
    """
    click.echo(inert(mask(str(text)), commands=commands), file=to, err=err, nl=nl, color=color)  # noqa: TID251 - this is the one place


def inert(text: str, *, commands: bool = False) -> str:
    """The text without what acts on a terminal, and without commands to the runner.

    With `commands`, those that begin a line stay.
    """
    text = _ACTING.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
    if _OLDER_COMMAND in text:
        # JSON has a way of its own to write a sign as another one, and no other.
        text = text.replace(_OLDER_COMMAND, "#\\u0023[" if text.lstrip()[:1] in {"{", "["} else "##\\[")
    return text if commands or "::" not in text else _COMMAND.sub(r"\1:\:", text)
