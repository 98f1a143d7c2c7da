"""Reading a policy: the same steps as for a blueprint, with the same diagnostics."""

from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.document import Document
from clusterprint.load import Loaded, load, load_text
from clusterprint.review.policy.types import PolicyFile
from clusterprint.validate.convert import convert
from clusterprint.validate.schema import check_schema

SCHEMA = "policy"


class ReadPolicy(NamedTuple):
    """A policy file; `policy` is None if it has errors, and then nothing can be judged by it."""

    file: str
    policy: PolicyFile | None
    document: Document | None
    diagnostics: tuple[Diagnostic, ...]


def read_file(file: Path, name: str) -> ReadPolicy:
    """The policy in a file, whatever is wrong with it; `name` is what messages call it."""
    return _read(load(file, name))


def read_text(raw: bytes, name: str) -> ReadPolicy:
    """The policy in a text, whatever is wrong with it."""
    return _read(load_text(raw, name, Path()))


def _read(loaded: Loaded) -> ReadPolicy:
    document = loaded.document
    file = document.file if document else loaded.diagnostics[0].place.file
    if document is None:
        return ReadPolicy(file, None, None, _in_words(loaded.diagnostics))
    schema = check_schema(document, SCHEMA)
    found = (*loaded.diagnostics, *schema.diagnostics)
    policy, _ = convert(PolicyFile, document.data, schema.broken)
    usable = not any(each.severity is Severity.ERROR for each in found)
    return ReadPolicy(file, policy if usable else None, document, _in_words(found))


def _in_words(diagnostics: list[Diagnostic] | tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The steps speak of blueprints; this is a policy."""
    return tuple(
        each._replace(message=_of_policy(each.message), help=_of_policy(each.help))
        for each in sorted(diagnostics, key=lambda each: each.order)
    )


def _of_policy(text: str) -> str:
    text = text.replace("`clusterprint: v1` and `kind: vm`", "`policy: v1`")
    return text.replace("the blueprint", "the policy").replace("a blueprint", "a policy")
