"""The tools of `clusterprint mcp`: which commands agents may run, with which of their options.

Schemas and texts of options are those of the commands. Arguments of agents are not trusted: unknown ones are
refused, nothing is an option that was given as a value, and paths lead nowhere outside of the folder.
"""

import inspect
import shutil
import stat
from collections.abc import Mapping
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import click
from jsonschema import Draft202012Validator

from clusterprint.cli import lifecycle
from clusterprint.cli.output import inert
from clusterprint.errors import UsageError
from clusterprint.files.inside import leads_out
from clusterprint.masking import mask
from clusterprint.render.visible import visible

# Most letters of a text, and most texts of a list.
_TEXT, _LIST = 1000, 200
# Of a simulated cloud: what lasts, what it has to have, and most bytes of it.
_LASTING, _MOST = ("cloud", "storage", "capacity"), 256 << 20

_CLUSTER = "Name of a cluster in blueprints/, a blueprint's file, or a folder of blueprints; relative paths."
_OF_ALL = f"{_CLUSTER} Left out: blueprints/."


class Tool(NamedTuple):
    """A command, those of its parameters that agents may give, and what is always given.

    Of `paths`, the values are checked. `seconds` are the most that it may take.
    """

    name: str
    parameters: tuple[str, ...]
    about: Mapping[str, str]
    paths: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    seconds: int = 120

    @property
    def command(self) -> click.Command:
        """The command of this name."""
        found: click.Command = getattr(import_module(f"clusterprint.cli.{self.name}"), self.name)
        return found

    @property
    def description(self) -> str:
        """The help of the command."""
        return inspect.cleandoc(self.command.help or "")

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments."""
        given = {_name(each): each for each in self.command.params}
        needed = [name for name in self.parameters if given[name].required or name in self.required]
        return {
            "type": "object",
            "properties": {name: _schema(given[name], self.about.get(name)) for name in self.parameters},
            "required": needed,
            "additionalProperties": False,
        }

    def words(self, arguments: Mapping[str, Any], folder: Path) -> list[str]:
        """The words of a command line. Raises UsageError for arguments that are refused."""
        wrong = sorted(Draft202012Validator(self.schema()).iter_errors(dict(arguments)), key=str)
        if wrong:
            said = (f"{'.'.join(map(str, each.path)) or 'arguments'}: {each.message}" for each in wrong)
            raise UsageError(inert(mask(visible("; ".join(said)[:_TEXT]))))
        options, named = [*self.always], []
        given = {_name(each): each for each in self.command.params}
        for name, value in arguments.items():
            texts = [str(each) for each in (value if isinstance(value, list) else [value])]
            for text in texts:
                _refuse(name, text, folder if name in self.paths else None)
            option = given[name].opts[-1]
            if isinstance(given[name], click.Argument):
                named += texts
            elif isinstance(value, bool):
                options += [option] if value else []
            else:
                options += [f"{option}={text}" for text in texts]
        return [self.name, *options, *(["--", *named] if named else [])]


TOOLS = {
    each.name: each
    for each in (
        Tool("validate", ("paths", "in", "strict", "format"), {"paths": _OF_ALL}, ("paths", "in")),
        Tool(
            "explain", ("name", "format"), {"name": "Code or name of a problem, or a key: GCP001, vm.nodes."}
        ),
        Tool("choose", ("gpus", "gpu", "region", "kind", "capacity", "machine-type", "format"), {}),
        Tool("show", ("blueprint", "in", "format"), {"blueprint": _CLUSTER}, ("blueprint", "in")),
        Tool(
            "review",
            ("paths", "in", "base", "head", "plan", "format"),
            {"paths": _OF_ALL},
            ("paths", "in", "base", "head", "plan"),
            required=("base",),
        ),
        Tool(
            "plan",
            ("paths", "in", "from", "brief"),
            {"paths": _OF_ALL},
            ("paths", "in"),
            always=("--simulate",),
            seconds=600,
        ),
        Tool(
            "status",
            ("paths", "in", "simulate", "why", "no-drift", "no-nodes", "format"),
            {
                "paths": _CLUSTER,
                "simulate": "Folder of a simulated cloud, which `up --simulate DIR` made; it is "
                "copied, and stays unchanged.",
                "why": "Say why jobs and pods wait: of this job, or with an empty text of all.",
            },
            ("paths", "in", "simulate"),
            required=("simulate",),
            seconds=300,
        ),
    )
}


def copy_of_cloud(given: str, folder: Path, to: Path) -> Path:
    """A copy of the simulated cloud in a folder. Raises UsageError for a folder that is none."""
    cloud = folder / given
    if not (cloud / lifecycle.CLOUD).is_file():
        raise UsageError(
            f"{visible(given)} is no simulated cloud: `clusterprint up` with --simulate makes one"
        )
    left = _MOST
    copy = next(path for number in count() if not (path := to / f"cloud-{number}").exists())
    for file in (each for part in _LASTING for each in sorted((cloud / part).rglob("*"))):
        about = file.lstat()
        left -= about.st_size
        if not (stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)) or left < 0:
            raise UsageError(f"{visible(given)} is no simulated cloud: it has links or is too large")
        if stat.S_ISREG(about.st_mode):
            target = copy / file.relative_to(cloud)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target, follow_symlinks=False)
    return copy


def _name(parameter: click.Parameter) -> str:
    """The name of a parameter for agents: that of the option, or the argument."""
    return parameter.name or "" if isinstance(parameter, click.Argument) else parameter.opts[-1].lstrip("-")


def _schema(parameter: click.Parameter, about: str | None) -> dict[str, Any]:
    described = about or getattr(parameter, "help", None) or ""
    if getattr(parameter, "is_flag", False):
        return {"type": "boolean", "description": described}
    found: dict[str, Any] = {"type": "string", "maxLength": _TEXT}
    kind = parameter.type
    if isinstance(kind, click.Choice):
        found = {"type": "string", "enum": [*kind.choices]}
    elif isinstance(kind, click.IntRange):
        found = {"type": "integer", "minimum": kind.min, "maximum": kind.max}
    if parameter.multiple or parameter.nargs == -1:
        found = {"type": "array", "items": found, "maxItems": _LIST}
    return {**found, "description": described}


def _refuse(name: str, text: str, folder: Path | None) -> None:
    """Raises UsageError for a text that would be an option, standard input, or a path out of the folder."""
    if text.startswith("-") or "\0" in text:
        raise UsageError(f"{name}: {visible(text)} begins with - or has a NUL")
    if folder and leads_out(folder / text, folder):
        raise UsageError(f"{name}: {visible(text)} is outside of the folder that this server was started in")
    if folder and name != "simulate" and (folder / text / lifecycle.CLOUD).is_file():
        raise UsageError(f"{name}: {visible(text)} is a simulated cloud, and no folder of blueprints")
