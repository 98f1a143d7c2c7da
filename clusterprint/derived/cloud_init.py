"""A cloud-init file of the user, read as cloud-init reads it, within limits: what is merged with ours."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError

#: The keys that are merged. What others do, a start-up script does, or Azure has done already.
KEYS = ("users", "write_files", "packages", "bootcmd")
#: What a user may not have there: it would stand in the state, in custom data, and in the repository.
PASSWORDS = ("passwd", "hashed_passwd", "plain_text_passwd")

_MOST_VALUES = 10_000
_DEEPEST = 20
_FIRST_USER = "default"
# cloud-init knows what a file is by its first line; these are no cloud-config.
_OTHER_SORTS = (
    "#!",
    "#include",
    "#upstart",
    "#part-handler",
    "#cloud-boothook",
    "#cloud-config-",
    "## template",
)
# What cloud-init's parser takes for a number with a fraction. Ours, by itself, would take 1e3 for one, too.
_FLOAT = re.compile(
    r"""[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?
    |[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$""",
    re.VERBOSE,
)
# More digits than any tool keeps apart.
_LARGEST = 2**63
_NOT_PLAIN = re.compile("[^\x20-\x7e]")

# What to write in place of a key that is not merged.
_INSTEAD = {
    "runcmd": "put the commands into startup_script, which runs when the machine is set up",
    "mounts": "list them under storage.volumes",
    "ssh_authorized_keys": "the key of the administrator is admin.ssh_public_key; others belong to users",
    "hostname": "host names of nodes begin with nodes.name_prefix",
}


class NotMergeable(ValueError):  # noqa: N818 - no failure of ours
    """A file that cannot be merged. The message completes "the file ...", `help` is the way out."""

    def __init__(self, message: str, help: str, line: int = 0) -> None:
        super().__init__(message)
        self.help = help
        self.line = line


class CloudInit(NamedTuple):
    """The merged lists, as cloud-init would read them. `users` has the administrator first."""

    users: tuple[Any, ...] = ()
    write_files: tuple[dict[str, Any], ...] = ()
    packages: tuple[Any, ...] = ()
    bootcmd: tuple[Any, ...] = ()


def read(text: str) -> CloudInit:
    """Read a file. Raises NotMergeable."""
    first = text.lstrip("\ufeff").split("\n", 1)[0]
    sort = next((each for each in _OTHER_SORTS if first.startswith(each)), None)
    if sort:
        raise NotMergeable(f"begins with {sort}, so it is not a cloud-config", "begin it with #cloud-config")
    data = _load(text)
    if not isinstance(data, dict):
        raise NotMergeable("holds no `key: value` lines", f"write some of {', '.join(KEYS)}")
    for key in data:
        if key not in KEYS:
            instead = _INSTEAD.get(str(key), f"remove it; what is merged is {', '.join(KEYS)}")
            raise NotMergeable(f"has the key {key}, which is not merged", instead)
    lists = {key: tuple(_entries(key, data[key])) for key in KEYS if data.get(key) is not None}
    if "users" in lists:
        # Without it the administrator would not be made, and nobody could log in.
        others = (each for each in lists["users"] if each != _FIRST_USER)
        lists["users"] = (_FIRST_USER, *others)
    return CloudInit(**lists)


def as_yaml(value: Any) -> str:
    """A value on one line, in the part of YAML that is JSON, and of plain characters only."""
    return _NOT_PLAIN.sub(_escaped, json.dumps(value, ensure_ascii=False, allow_nan=False))


def passwords(found: CloudInit) -> Iterator[tuple[str, str]]:
    """The users that have a password in the file: their names, and the key that it stands under."""
    for user in found.users:
        if isinstance(user, dict):
            yield from ((str(user.get("name", "")), key) for key in PASSWORDS if key in user)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - four digits


class _Constructor(SafeConstructor):
    """Takes for a number with a fraction what cloud-init's parser does, and for text what it does not."""

    def construct_yaml_float(self, node: Any) -> Any:
        """The number, or the text."""
        text = self.construct_scalar(node)
        return super().construct_yaml_float(node) if _FLOAT.match(text) else text


_Constructor.add_constructor("tag:yaml.org,2002:float", _Constructor.construct_yaml_float)


def _load(text: str) -> Any:
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = _Constructor
    # As cloud-init does: `yes` is true, and 0644 is octal.
    yaml.version = (1, 1)
    try:
        data = yaml.load(text)
        _check(data, 0, iter(range(_MOST_VALUES)))
    except RecursionError:
        raise NotMergeable("is nested too deeply", "keep lists and maps flat") from None
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise NotMergeable(f"is not valid YAML: {error.problem}", "correct it", line) from None
    except YAMLError as error:
        raise NotMergeable(f"is not valid YAML: {str(error).splitlines()[0]}", "correct it") from None
    except NotMergeable:
        raise
    except (ValueError, LookupError, AssertionError, ArithmeticError, TypeError):
        # What looks like a date, a number or a tagged value, and is none, ends the parser in many ways.
        raise NotMergeable(
            "holds something like a date, a number or a tag that cannot be read", "put it in quotes"
        ) from None
    return data


def _check(value: Any, depth: int, left: Iterator[int]) -> None:
    """Refuse what JSON has no words for, and more than anybody writes; aliases count as what they repeat."""
    if depth > _DEEPEST or next(left, None) is None:
        raise NotMergeable("is too large or nested too deeply", "let the start-up script fetch what is large")
    if isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str):
                raise NotMergeable(f"has the key {key!s}, which is not text", "put it in quotes")
            _check(each, depth + 1, left)
    elif isinstance(value, list):
        for each in value:
            _check(each, depth + 1, left)
    elif isinstance(value, int) and abs(value) >= _LARGEST:
        raise NotMergeable("holds a number that is too large", "put it in quotes")
    elif isinstance(value, float) and value - value != 0:
        raise NotMergeable("holds a number that is not one", "put it in quotes")
    elif value is not None and not isinstance(value, str | int | float):
        raise NotMergeable(f"holds a {type(value).__name__}, which is not text", "put it in quotes")


def _entries(key: str, value: Any) -> list[Any]:
    fits = _SHAPES[key]
    if not isinstance(value, list) or not all(map(fits, value)):
        raise NotMergeable(f"has {key} that cloud-init would not accept", _FORMS[key])
    return value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_file(value: Any) -> bool:
    return isinstance(value, dict) and _is_text(value.get("path")) and value["path"].startswith("/")


def _is_user(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, dict) and _is_text(value.get("name")))


def _is_words(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, list) and value != [] and all(map(_is_text, value)))


_SHAPES: dict[str, Callable[[Any], bool]] = {
    "users": _is_user,
    "write_files": _is_file,
    "packages": _is_words,
    "bootcmd": _is_words,
}
_FORMS = {
    "users": "list names, or maps that have a name",
    "write_files": "list maps that have a path, which begins with /",
    "packages": "list names, or [name, version]",
    "bootcmd": "list commands, each a text or a list of words",
}
