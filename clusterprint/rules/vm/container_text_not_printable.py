from clusterprint.blueprint.container import Container
from clusterprint.diagnostic import Label
from clusterprint.rules import _known
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM123", severity=Severity.ERROR, source="Docker: environment files", firm=True)
def container_text_not_printable(container: Container, context: Context) -> Iterator[Finding]:
    """An argument or a variable of the container has a line break, or another invisible character.

    They reach the nodes one per line, and Docker reads the variables of a container in the same way. What has
    several lines would be several of them.

    Put the text into a file: copy it with `files` into a mounted folder, or have it in the image.
    """
    for index, argument in _known.values(container, "args"):
        if not argument.isprintable():
            yield _finding("an argument", context.at(container, "args", index))
    for key, value in container.env.items():
        if not value.isprintable():
            yield _finding(f"the variable {key}", context.at(container, "env", key))


def _finding(what: str, place: Label) -> Finding:
    return Finding(
        f"{what} of the container has a line break, or an invisible character",
        place,
        help="write it in one line, or put it into a file that the container reads",
    )
