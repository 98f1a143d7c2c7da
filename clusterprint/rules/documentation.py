"""Documentation of rules: a table for each code in two files of each folder, read when asked for.

`docs.toml` has the source of each rule, and three paragraphs: what is wrong, why it matters, what to do.
`relations.toml` has the same of rules that parts declare with relations, and the words of these.
"""

from functools import cache
from pathlib import Path
from typing import Any

from clusterprint.diagnostic import Severity
from clusterprint.explanation import Explanation

_FOLDERS = {
    "AZ": "vmss", "BP": "every_kind", "FL": "fleet", "GCP": "google", "GKE": "gke", "RAY": "ray", "VM": "vm",
}  # fmt: skip


def folder_of(code: str) -> str:
    """The folder with the documentation of a code, and with the facts that its relations look at."""
    return _FOLDERS[code.rstrip("0123456789")]


def file_of(folder: str, name: str) -> Path:
    """A file of a folder with documentation; it need not exist."""
    return Path(__file__).with_name(folder) / f"{name}.toml"


@cache
def tables(folder: str, name: str) -> dict[str, Any]:
    """The tables of such a file, by codes."""
    import tomllib  # only for what is wrong

    file = file_of(folder, name)
    return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}


def explanation(code: str, name: str, severity: Severity) -> Explanation:
    """The documentation of a rule; empty while it is being written."""
    folder = folder_of(code)
    table = tables(folder, "docs").get(code) or tables(folder, "relations").get(code) or {}
    return Explanation(code, name, severity, table.get("text", "").strip(), table.get("source", ""))
