from collections.abc import Iterator

from clusterprint.blueprint.content import Script
from clusterprint.diagnostic import Severity
from clusterprint.rules import _scripts
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("BP221", severity=Severity.ERROR, source="The blueprint language: scripts", firm=True)
def script_not_text(script: Script, context: Context) -> Iterator[Finding]:
    """A script is not UTF-8 text.

    Scripts travel to the nodes as text. Binary content, or text in another encoding, would arrive changed.

    Save the script as UTF-8. A program belongs under `files`, with a small script that starts it.
    """
    content = _scripts.content(script, context)
    if content is not None and not _scripts.is_text(content):
        yield Finding(
            f"{_scripts.name(script)} is not UTF-8 text",
            context.at(script, _scripts.field(script)),
            help="save it as UTF-8, or copy a program with `files` and start it from a script",
        )
