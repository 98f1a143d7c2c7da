"""Lines of `clusterprint` wherever people read them, and whether they fit the command line."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from clusterprint.cli import Commands, group
from clusterprint.cli.init import Starts

# What may follow a command in prose without being a word of the sentence.
_PART = re.compile(r"--?[a-z][a-z-]*(=\S+)?|\S*[./{][^\s,;]*\w|[A-Z][A-Z_/-]+(\.\.\.)?")
_TYPED = re.compile(r"^ *\$ clusterprint ((?:.*\\\n)*.*)", re.MULTILINE)
_FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"(?<!`)`(?:\$ )?(clusterprint [^`]+)`(?!`)")
_PLAIN = re.compile(r"(?<![`\w./'-])clusterprint (?=[a-z])([^`\n]*)")
_SHELL = re.compile(r"\s(?:&&|\|\|?|;|>|2>)(?:\s|$)|;\s")


def texts_of(module: Path) -> Iterator[str]:
    """The strings of a Python file, with VALUE where a value is put in; no comments and no names."""
    tree = ast.parse(module.read_text("utf-8"))
    within = {id(each) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for each in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(each.value) if isinstance(each, ast.Constant) else "VALUE" for each in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            yield node.value


def lines_in(text: str) -> Iterator[list[str]]:
    """The words after `clusterprint` of each line: all that is typed or quoted, in prose its beginning."""
    for typed in _TYPED.findall(text):
        yield words_of(typed.replace("\\\n", ""))
    joined = re.sub(r"\n[ \t]*(?=\S)", " ", _FENCED.sub("", text))
    for found in _QUOTED.findall(joined):
        yield words_of(found.partition(" ")[2])
    for found in _PLAIN.findall(joined):
        command, *rest = found.split(" ")
        if command.rstrip(".,;:)'") in Commands.NAMES:
            yield [command.rstrip(".,;:)'"), *(_no_prose(rest) if command[-1].isalpha() else ())]


def _no_prose(words: list[str]) -> Iterator[str]:
    """The first words that are options with their values, files or placeholders."""
    for at, word in enumerate(words):
        bare = word.strip("()[]:'\"").rstrip(".,;")
        is_value = at > 0 and words[at - 1].startswith("--") and "=" not in words[at - 1]
        if not bare or not (_PART.fullmatch(bare) or is_value):
            return
        yield bare
        if bare != word.strip("[]'\""):
            return


def words_of(line: str) -> list[str]:
    """The words of one line, without what a shell does with them, and without brackets."""
    plain = _SHELL.split(line.replace("[", "").replace("]", "").replace("...", ""))[0]
    try:
        return shlex.split(plain, comments=True)
    except ValueError:
        return plain.split()


def problem_of(words: list[str]) -> str:
    """The problems of the words after `clusterprint`: command, options, number and form of arguments."""
    try:
        _parse(words)
    except click.UsageError as error:
        return error.format_message()
    return ""


def _parse(words: list[str]) -> None:
    context = click.Context(group, info_name="clusterprint")
    command: click.Command = group
    while isinstance(command, click.Group):
        if words and words[0].startswith("-") and isinstance(command, Starts):
            words = [next(iter(command.commands)), *words]
        if not words or words[0].startswith("-"):
            command.make_parser(context).parse_args([each for each in words if each != "-h"])
            return
        name, *rest = words
        inner = command.get_command(context, name)
        if inner is None and isinstance(command, Starts):
            inner, rest = next(iter(command.commands.values())), words
        if name == "VALUE":
            return
        if inner is None:
            raise click.UsageError(f"no such command: {name}")
        command, words = inner, rest
        context = click.Context(command, context, info_name=name)
    given, left, _ = command.make_parser(context).parse_args(list(words))
    if left:
        raise click.UsageError(f"one argument too many: {left[0]}")
    for each in command.params if words else ():  # a command alone is only mentioned
        _check(each, given.get(each.name or ""), context)


def _check(parameter: click.Parameter, value: object, context: click.Context) -> None:
    values = [
        each for each in (value if isinstance(value, list | tuple) else [value]) if isinstance(each, str)
    ]
    if isinstance(parameter, click.Argument) and parameter.required and not values:
        helping = any(each in context.args for each in ("--help", "-h"))
        if not helping:
            raise click.UsageError(f"{parameter.human_readable_name} is missing")
    for each in values:
        if isinstance(parameter.type, click.Choice | click.IntRange) and not re.fullmatch(
            r"[A-Z_]+|.*VALUE.*", each
        ):
            parameter.type(each, parameter, context)
