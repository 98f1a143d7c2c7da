from clusterprint.blueprint.content import Script, TextFile
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP221", severity=Severity.ERROR, source="The blueprint language: what can be a file", firm=True)
def text_not_utf8(text: TextFile, context: Context) -> Iterator[Finding]:
    """A script, or another text that the cluster is made from, is not UTF-8.

    It travels to the cluster as text. Binary content, or text in another encoding, would arrive changed.

    Save it as UTF-8. A program belongs under `files`, with a small script that starts it.
    """
    content = _texts.content(text, context)
    if content is not None and not _texts.is_text(content):
        yield Finding(
            f"{_texts.name(text)} is not UTF-8 text",
            context.at(text, _texts.field(text)),
            help="save it as UTF-8, or copy a program with `files` and start it from a script",
        )


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@rule("BP222", severity=Severity.WARNING, source="Compute Engine: startup scripts on Linux VMs")
def script_without_interpreter(script: Script, context: Context) -> Iterator[Finding]:
    """A script does not begin with `#!` and the program that runs it.

    The node runs the script as a program, and the first line says which language it is in. Without it, the
    behavior depends on the image; often the script silently does not run.

    Begin the script with `#!/bin/bash`, or another interpreter, in the very first column.
    """
    content = _texts.content(script, context)
    if content is None or content.startswith(b"#!") or not _texts.is_text(content):
        return
    subject = _texts.name(script)
    place = context.at(script, _texts.field(script))
    if not content.strip():
        yield Finding(f"{subject} is empty", place, help="write the script, or remove startup_script")
    elif content.removeprefix(_BYTE_ORDER_MARK).lstrip().startswith(b"#!"):
        yield Finding(f"{subject} has something before its #!", place, help="let it begin with #!")
    else:
        yield Finding(f"{subject} does not begin with #!", place, help="begin it with #!/bin/bash")


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
