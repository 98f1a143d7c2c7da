from clusterprint.blueprint.content import Script
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP223", severity=Severity.WARNING, source="Linux: execve(2), interpreter scripts")
def script_with_windows_line_ends(script: Script, context: Context) -> Iterator[Finding]:
    """A script has Windows line ends (CR LF).

    Linux treats the CR as part of the line: it looks for an interpreter whose name ends with CR, and every
    last argument of a line gets an invisible extra character.

    Save the script with LF line ends, and put `*.sh text eol=lf` into .gitattributes.
    """
    content = _texts.content(script, context)
    if content is not None and b"\r\n" in content and _texts.is_text(content):
        yield Finding(
            f"{_texts.name(script)} has Windows line ends",
            context.at(script, _texts.field(script)),
            help="save it with LF line ends",
        )
