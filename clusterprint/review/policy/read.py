"""Reading a policy: the same steps as for a blueprint, with the same diagnostics."""

from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic
from clusterprint.document import Document
from clusterprint.load import load, load_text
from clusterprint.review.policy.types import PolicyFile
from clusterprint.validate import side_file


class ReadPolicy(NamedTuple):
    """A policy file; `policy` is None if it has errors, and then nothing can be judged by it."""

    file: str
    policy: PolicyFile | None
    document: Document | None
    diagnostics: tuple[Diagnostic, ...]


def read_file(file: Path, name: str) -> ReadPolicy:
    """The policy in a file, whatever is wrong with it; `name` is what messages call it."""
    return ReadPolicy(*side_file.read(load(file, name), PolicyFile, "policy"))


def read_text(raw: bytes, name: str) -> ReadPolicy:
    """The policy in a text, whatever is wrong with it."""
    return ReadPolicy(*side_file.read(load_text(raw, name, Path()), PolicyFile, "policy"))
