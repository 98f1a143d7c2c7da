"""Settings of a repository for all commands: the table `[tool.clusterprint]` of its pyproject.toml.

It is found in the current folder or above, up to the root of the repository, and is data like a blueprint: a
small regular file, whose paths lead nowhere outside. Options of the command line win over it. What blueprints
have in common is not in it but in `clusterprint.defaults.yaml` (load/defaults.py).
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from clusterprint.errors import UsageError
from clusterprint.files.inside import NotRead, leads_out, read, root_of
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import alike

FILE = "pyproject.toml"
_TABLE = "tool.clusterprint"
_KEYS = ("blueprints", "format")
_MOST = 1 << 20

Defaults = dict[str, Any]

# The groups whose commands are about clusters.
_GROUPS = {"init": ("blueprint", "state"), "policy": ("test",), "jobs": ("list", "watch", "cancel")}


class Settings(NamedTuple):
    """The folder of blueprints, relative to the current one, and the output format of each command."""

    blueprints: str = ""
    format: Mapping[str, str] = {}

    def defaults(self, commands: Sequence[str]) -> Defaults:
        """The defaults of parameters of commands, as click takes them."""
        own: Defaults = {"among": [self.blueprints]} if self.blueprints else {}
        found: Defaults = {name: {**own} for name in commands}
        # Only of groups: an option of another command may have such a name (`down --state`).
        for group, names in _GROUPS.items():
            found[group] |= dict.fromkeys(names, own)
        if self.blueprints:
            found["init"] = found["init"] | {"blueprint": {"folder": self.blueprints}}
        for words, form in self.format.items():
            first, *rest = words.split()
            within = found[first] | {"form": form} if not rest else found[first]
            found[first] = (
                within if not rest else within | {rest[0]: within.get(rest[0], {}) | {"form": form}}
            )
        return found


def settings(group: click.Group) -> Settings:
    """The settings for the current folder. Raises UsageError for mistakes in them, with their place."""
    here = Path.cwd()
    root = root_of(here / FILE, [here])
    for folder in (here, *here.parents):
        file = folder / FILE
        if os.path.lexists(file) and (found := _read(file, root)) is not None:
            text, table = found
            for place, said in _mistakes(table, folder, root, group):
                raise UsageError(f"{os.path.relpath(file)}:{_line(text, place)}: {said}")
            given = table.get("blueprints", "")
            return Settings(given and os.path.relpath(folder / given), table.get("format", {}))
        if folder == root:
            break
    return Settings()


def _read(file: Path, root: Path) -> tuple[str, Any] | None:
    """The text of a file, and the table in it; None without one, or where the file is not to be read."""
    try:
        text = "" if leads_out(file, root) else read(file, _MOST).decode()
    except (OSError, NotRead, UnicodeDecodeError):
        return None  # the file of other tools: theirs to tell
    if _TABLE.rpartition(".")[2] not in text:
        return None  # nothing for us, and nothing to load a parser for
    import tomllib  # only for who may have settings

    try:
        table = tomllib.loads(text).get("tool", {}).get("clusterprint")
    except (tomllib.TOMLDecodeError, AttributeError, RecursionError) as error:
        if f"[{_TABLE}" not in text:
            return None  # theirs, too
        raise UsageError(f"{os.path.relpath(file)}: not TOML: {error}") from None
    return None if table is None else (text, table)


def _mistakes(table: Any, folder: Path, root: Path, group: click.Group) -> Iterator[tuple[str, str]]:
    """The mistakes in a table: the key that each is about, and a message."""
    if not isinstance(table, dict):
        yield "clusterprint", f"{_TABLE} is a table, not {table!r}"
        return
    for key in table.keys() - {*_KEYS}:
        near = did_you_mean(*(repr(each) for each in alike(key, _KEYS)))
        hint = near or f"its keys are {listed(_KEYS, 'and')}"
        yield key, f"[{_TABLE}] has no key {key!r}; {hint}"
    if "blueprints" in table and (said := _about_folder(table["blueprints"], folder, root)):
        yield "blueprints", said
    formats = table.get("format", {})
    if not isinstance(formats, dict):
        yield "format", f'format is a table of commands, such as {{validate = "json"}}, not {formats!r}'
        return
    for words, form in formats.items():
        choices = _formats(words, group)
        if not choices:
            yield words, f"{words!r} is no command with --format"
        elif form not in choices:
            yield words, f"{words} has no format {form!r}: it has {listed(choices, 'and')}"


def _about_folder(given: Any, folder: Path, root: Path) -> str:
    if not isinstance(given, str) or not given:
        return f"blueprints is the path of a folder, not {given!r}"
    if leads_out(folder / given, root):
        return f"{given!r} leads out of the repository"
    return "" if (folder / given).exists() else f"there is no folder {given!r} beside this file"


def _formats(words: str, group: click.Group) -> Sequence[str]:
    """The formats of a command, empty if it has none or there is no such command."""
    command: click.Command | None = group
    for word in words.split() or [words]:
        command = (
            command.get_command(click.Context(group), word) if isinstance(command, click.Group) else None
        )
    kinds = [each.type for each in command.params if each.name == "form"] if command else []
    return kinds[0].choices if kinds and isinstance(kinds[0], click.Choice) else ()


def _line(text: str, key: str) -> int:
    """The line of a key, after the heading of the table if it has one."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if _TABLE in re.sub(r"[\s\"']", "", line)), 0)
    is_key = re.compile(
        rf"[\s{{,.\"']*{re.escape(key)}[\"']?\s*=|.*[{{,.\"'\s]{re.escape(key)}[\"']?\s*[=.\]]"
    )
    return next((at for at, line in enumerate(lines[start:], start + 1) if is_key.match(line)), start + 1)
