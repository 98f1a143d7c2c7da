from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.diagnostic import Label
from clusterprint.document import Document, Place
from clusterprint.masking.documents import Located, located_in
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP230", severity=Severity.ERROR)
def secret_in_blueprint(_blueprint: Blueprint, context: Context) -> Iterator[Finding]:
    told = set()
    parts = (context.document, *context.document.defaults)
    for each, document in ((each, part) for part in parts for each in located_in(part)):
        finding = _finding(each, document)
        # Several in one value are one mistake.
        if finding.place not in told:
            told.add(finding.place)
            yield finding


def _finding(each: Located, document: Document) -> Finding:
    here = Label(document.file, each.span, "here")
    if each.place is None:
        message, place = f"a comment holds what looks like {each.found.what}", here._replace(text="")
    elif each.in_key:
        message = f"a key of {_name(each.place[:-1])} holds what looks like {each.found.what}"
        place = here._replace(text="")
    else:
        message = f"{_name(each.place)} holds what looks like {each.found.what}"
        place = document.key_label(each.place)
    far = place.span is not None and place.span.line != each.span.line
    return Finding(
        message,
        place,
        (here,) if far else (),
        "revoke it, keep the new one in a secret store, and let the nodes fetch it from there",
    )


def _name(place: Place) -> str:
    """The name of a value; an item is named after the key of its list."""
    return next((key for key in reversed(place) if isinstance(key, str)), "the blueprint")
