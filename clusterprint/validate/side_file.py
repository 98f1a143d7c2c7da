"""Reading files that are no blueprints, such as policies: the same steps, with the same diagnostics."""

from typing import Generic, NamedTuple, TypeVar

from clusterprint.blueprint.part import Part
from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.document import Document
from clusterprint.load import Loaded
from clusterprint.validate.convert import convert
from clusterprint.validate.schema import check_schema

AnyPart = TypeVar("AnyPart", bound=Part)


class SideFile(NamedTuple, Generic[AnyPart]):
    """A file of a type; `part` is None if it has errors, and then nothing can be done by it."""

    file: str
    part: AnyPart | None
    document: Document | None
    diagnostics: tuple[Diagnostic, ...]


def read(loaded: Loaded, kind: type[AnyPart], noun: str) -> SideFile[AnyPart]:
    """The part in a file, whatever is wrong with it; `noun` is its schema, and what messages call it."""
    document = loaded.document
    file = document.file if document else loaded.diagnostics[0].place.file
    if document is None:
        return SideFile(file, None, None, _in_words(loaded.diagnostics, noun))
    schema = check_schema(document, noun)
    found = [*loaded.diagnostics, *schema.diagnostics]
    part, _ = convert(kind, document.data, schema.broken)
    usable = not any(each.severity is Severity.ERROR for each in found)
    return SideFile(file, part if usable else None, document, _in_words(found, noun))


def _in_words(diagnostics: list[Diagnostic], noun: str) -> tuple[Diagnostic, ...]:
    """The steps speak of blueprints; this is something else."""
    return tuple(
        each._replace(message=_of(each.message, noun), help=_of(each.help, noun))
        for each in sorted(diagnostics, key=lambda each: each.order)
    )


def _of(text: str, noun: str) -> str:
    text = text.replace("`clusterprint: v1` and `kind: vm`", f"`{noun}: v1`")
    for other in (", or `-` for standard input", "; `clusterprint validate FOLDER` checks all of them"):
        text = text.replace(other, "")
    return text.replace("the blueprint", f"the {noun}").replace("a blueprint", f"a {noun}")
