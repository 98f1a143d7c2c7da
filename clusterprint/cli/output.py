"""The one way by which text leaves a command: what looks like a secret is masked on it.

Diagnostics and reports are masked before, where they are still texts of their own; this is for everything
else that a command prints (errors, plans, names of files), and for what nobody thought of. `click.echo` and
`print` are forbidden elsewhere, in pyproject.toml.
"""

from typing import TextIO

import click

from clusterprint.masking import mask


def say(
    text: object, *, to: TextIO | None = None, err: bool = False, nl: bool = True, color: bool | None = None
) -> None:
    """Print a text with secrets masked, to standard output, to standard error (`err`) or to a stream.

    Colours in it are kept as `color` says; without, where the text goes to a terminal.
    """
    click.echo(mask(str(text)), file=to, err=err, nl=nl, color=color)  # noqa: TID251 - this is the one place
