from clusterprint.blueprint.content import TextFile
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
