"""Printing of diagnostics in the requested format."""

from os import environ
from typing import TextIO

import click

from clusterprint.cli.output import say
from clusterprint.examine import Examined

FORMATS = ("text", "json", "sarif", "github")
FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Format of the report.",
)


def exit_code(examined: Examined, *, strict: bool) -> int:
    """0 clean, 1 problems in a blueprint, 3 a rule of ours failed; `strict` counts warnings, never notes."""
    if examined.crashed:
        return 3
    return 1 if examined.errors or (strict and examined.warnings) else 0


def print_report(examined: Examined, form: str, stream: TextIO, noun: str = "blueprint") -> None:
    """Print all diagnostics and, where a format has room for one, a summary; `noun` is what was checked."""
    found, sources = examined.diagnostics, examined.sources
    if form == "text":
        from clusterprint.render import text

        color = _wants_color(stream)
        report = text.render(found, sources, color=color)
        counts = (examined.errors, examined.warnings, examined.notes)
        summary = text.summary(examined.files, *counts, noun=noun, color=color)
        # Explicit, because click removes colours from output that is no terminal's.
        say(f"{report}\n{summary}" if report else summary, to=stream, color=color)
    elif form == "json":
        from clusterprint.render import json

        say(json.render(found, files=examined.files), to=stream)
    elif form == "sarif":
        from clusterprint.cli.explain_topics import all_topics
        from clusterprint.render import sarif

        say(sarif.render(found, sources, topics=all_topics()), to=stream)
    else:
        from clusterprint.render import github

        annotations = github.render(found)
        if annotations:
            say(annotations, to=stream, commands=True)


def _wants_color(stream: TextIO) -> bool:
    """Whether to print colours: at a terminal unless NO_COLOR is set, and where FORCE_COLOR is.

    See https://no-color.org, which wins, and https://force-color.org.
    """
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def utf8(stream: TextIO) -> TextIO:
    """The stream, able to print whatever a blueprint quotes."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return stream
