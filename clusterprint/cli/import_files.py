"""Shared by `import` and `env-file`: reading files, and reporting problems."""

from collections.abc import Iterable
from pathlib import Path

from clusterprint.cli.output import say
from clusterprint.errors import UsageError
from clusterprint.files.inside import NotRead
from clusterprint.files.inside import read as read_bytes
from clusterprint.importing import Finding
from clusterprint.importing.write import one_line

# The longest file that is read: far more than any has.
_MOST_BYTES = 1_000_000


def read_text(file: Path) -> str:
    """The text of a file."""
    try:
        return read_bytes(file, _MOST_BYTES).decode("utf-8")
    except (OSError, NotRead) as error:
        raise UsageError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not text in UTF-8") from None


def print_findings(file: Path, findings: Iterable[Finding], *, lossy: bool) -> int:
    """Print all findings with file and line; the number of errors. `lossy`: losses are not errors."""
    errors = 0
    for each in findings:
        severity = each.severity if each.severity != "loss" else "warning" if lossy else "error"
        name = each.file or str(file)
        place = f"{name}:{each.line}" if each.line else name
        say(f"{place}: {severity}: {one_line(each.message)}", err=True)
        if each.help:
            say(f"    {one_line(each.help)}", err=True)
        errors += severity == "error"
    return errors
