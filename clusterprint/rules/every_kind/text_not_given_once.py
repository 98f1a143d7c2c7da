from clusterprint.blueprint.content import TextFile
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("BP220", severity=Severity.ERROR, source="The blueprint language: what can be a file", firm=True)
def text_not_given_once(text: TextFile, context: Context) -> Iterator[Finding]:
    """A script, or another text, is given both as a file and inline, or not at all.

    With both, one of them would silently not be used.

    Keep either `file` or `inline`.
    """
    if text.file is UNSET and text.inline is UNSET:
        yield Finding(
            f"the {text.noun} has neither file nor inline",
            context.at_key(text),
            help=f"write `file: ./PATH`, or the {text.noun} itself after `inline: |`",
        )
    elif text.file is not UNSET and text.inline is not UNSET:
        yield Finding(
            f"the {text.noun} is given both inline and as a file",
            context.at_key(text, "inline"),
            also=(context.at_key(text, "file", text="the file"),),
            help="keep one of the two",
        )
