"""Reading a policy: the same steps as for a blueprint, with the same diagnostics."""

from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.document import Document
from clusterprint.errors import UsageError
from clusterprint.find import POLICY
from clusterprint.inside import NotRead, read
from clusterprint.load import Loaded, load, load_text
from clusterprint.review.policy.types import PolicyFile
from clusterprint.review.sides import is_folder
from clusterprint.revision import read_at
from clusterprint.validate.convert import convert
from clusterprint.validate.schema import check_schema

SCHEMA = "policy"


class ReadPolicy(NamedTuple):
    """A policy file; `policy` is None if it has errors, and then nothing can be judged by it."""

    file: str
    policy: PolicyFile | None
    document: Document | None
    diagnostics: tuple[Diagnostic, ...]
    note: str = ""
    named: bool = False


def find_policy(named: Path | None, base: str | None) -> ReadPolicy | None:
    """The policy that was named, else the one of the earlier version, else the one that is here.

    A change is judged by the policy that was there before it: otherwise it could bring its own.
    """
    if named is not None:
        if not named.is_file():
            raise UsageError(f"there is no policy {named}")
        return _read(load(named))._replace(named=True)
    here = Path(POLICY)
    earlier = _earlier(base) if base is not None else None
    if earlier is None:
        return _read(load(here)) if here.is_file() else None
    found = _read(load_text(earlier, POLICY, Path()))
    same = _is(here, earlier)
    note = "" if same else f"The change also changes {POLICY}; it is judged by the earlier version of it."
    return found._replace(note=note)


def _earlier(base: str) -> bytes | None:
    if is_folder(base):
        file = Path(base) / POLICY
        return file.read_bytes() if file.is_file() else None
    return read_at(base, Path(POLICY))


def _is(file: Path, content: bytes) -> bool:
    try:
        return read(file, len(content)) == content
    except (NotRead, OSError):
        return False


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
