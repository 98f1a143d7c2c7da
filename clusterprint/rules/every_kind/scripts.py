from clusterprint.blueprint.content import Script, TextFile
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP221", severity=Severity.ERROR, firm=True)
def text_not_utf8(text: TextFile, context: Context) -> Iterator[Finding]:
    content = _texts.content(text, context)
    if content is not None and not _texts.is_text(content):
        yield Finding(
            f"{_texts.name(text)} is not UTF-8 text",
            context.at(text, _texts.field(text)),
            help="save it as UTF-8, or copy a program with `files` and start it from a script",
        )


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@rule("BP222", severity=Severity.WARNING)
def script_without_interpreter(script: Script, context: Context) -> Iterator[Finding]:
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


@rule("BP223", severity=Severity.WARNING)
def script_with_windows_line_ends(script: Script, context: Context) -> Iterator[Finding]:
    content = _texts.content(script, context)
    if content is not None and b"\r\n" in content and _texts.is_text(content):
        yield Finding(
            f"{_texts.name(script)} has Windows line ends",
            context.at(script, _texts.field(script)),
            help="save it with LF line ends",
        )
