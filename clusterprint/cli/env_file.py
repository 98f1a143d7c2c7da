"""`clusterprint env-file`: an env file of the cluster provisioning container, as a blueprint."""

import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click

from clusterprint.cli.output import say
from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.envfile import Finding, Translated, read, translate
from clusterprint.envfile.read import MOST_BYTES
from clusterprint.envfile.translate import ACTIONS
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.inside import NotRead, root_of
from clusterprint.inside import read as read_bytes
from clusterprint.load import load_text, with_defaults
from clusterprint.validate import validate
from clusterprint.words import counted


@click.command("env-file")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Blueprint to write.  [default: NAME_PREFIX.yaml beside the env file]",
)
def env_file(file: Path, out: Path | None) -> None:
    """Write the blueprint that an env file means: one of `docker run --env-file`, of the old container.

    Variables of all its versions are understood. All problems are said at once, each with its line; what a
    blueprint does not carry over is a warning. Nothing is overwritten, and nothing written with an error. The
    last line is the command for the file's ACTION. Exit codes: 0 written, 1 problems in the file.
    """
    variables, findings = read(_text(file))
    translated = translate(variables)
    text = _yaml(translated.data)
    target = out or file.parent / f"{translated.data['name']}.yaml"
    findings += translated.findings
    if not any(each.severity == "error" for each in findings):
        findings += _checked(text, target, translated)
    errors = _print(file, sorted(findings))
    if errors:
        say(f"{counted(errors, 'error')}: nothing is written", err=True)
        sys.exit(1)
    _write(text, target)
    say(f"wrote {target}")
    say(f"next: {ACTIONS[translated.action or 'plan'].format(file=quote(str(target)))}")


def _text(file: Path) -> str:
    try:
        return read_bytes(file, MOST_BYTES).decode("utf-8")
    except (OSError, NotRead) as error:
        raise UsageError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except UnicodeDecodeError:
        raise UsageError(f"{file} is no text in UTF-8") from None


def _yaml(data: dict[str, Any]) -> str:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.default_flow_style = False
    yaml.width = 1_000_000
    stream = io.StringIO()
    yaml.dump(data, stream)
    return stream.getvalue()


def _checked(text: str, target: Path, translated: Translated) -> list[Finding]:
    """What `validate` says of the blueprint, each at the line of the env file that it is from."""
    alone = load_text(text.encode(), str(target), target.parent)
    loaded, _ = with_defaults(alone, target, str(target), root_of(target))
    if loaded.document is None:
        return [_finding(each, 0) for each in loaded.diagnostics]
    own = {keys: written for keys, written in loaded.document.written.items() if not written.file}
    places = {written.value.line: keys for keys, written in own.items()}
    found = []
    for each in (*loaded.diagnostics, *validate(loaded.document).diagnostics):
        if each.severity is Severity.NOTE:
            continue
        line = each.place.span.line if each.place.span else 0
        if each.place.file == loaded.document.file:
            found.append(_finding(each, _line(places.get(line, ()), translated)))
        else:
            where = f"{each.place.file}:{line}: {each.message}"
            found.append(_finding(each._replace(message=where), 0))
    return found


def _line(keys: Sequence[str | int], translated: Translated) -> int:
    """The line of the variable that said something: at these keys, above them, or below."""
    for length in range(len(keys), 0, -1):
        if found := translated.origins.get(tuple(keys[:length])):
            return found.line
    below = [each.line for place, each in translated.origins.items() if place[: len(keys)] == tuple(keys)]
    return min(below, default=0) if keys else 0


def _finding(each: Diagnostic, line: int) -> Finding:
    severity = "error" if each.severity is Severity.ERROR else "warning"
    return Finding(line, severity, f"{each.message} ({each.code})", each.help)  # type: ignore[arg-type]


def _print(file: Path, findings: Iterable[Finding]) -> int:
    errors = 0
    for each in findings:
        place = f"{file}:{each.line}" if each.line else str(file)
        say(f"{place}: {each.severity}: {each.message}", err=True)
        if each.help:
            say(f"    {each.help}", err=True)
        errors += each.severity == "error"
    return errors


def _write(text: str, target: Path) -> None:
    try:
        with target.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageError(
            f"{target} is there already, and nothing is overwritten: name another with --out"
        ) from None
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {target}: {error.strerror}") from error
