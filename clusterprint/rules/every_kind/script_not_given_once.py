from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.content import Script
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("BP220", severity=Severity.ERROR, source="The blueprint language: what can be a file", firm=True)
def script_not_given_once(script: Script, context: Context) -> Iterator[Finding]:
    """A script is given both as a file and in place, or neither way.

    With both, one of them would silently not run.

    Keep either `file` or `inline`.
    """
    if script.file is UNSET and script.inline is UNSET:
        yield Finding(
            "the script has neither file nor inline",
            context.at_key(script),
            help="write `file: ./script.sh`, or the script itself after `inline: |`",
        )
    elif script.file is not UNSET and script.inline is not UNSET:
        yield Finding(
            "the script is given in place and also as a file",
            context.at_key(script, "inline"),
            also=(context.at_key(script, "file", text="the file"),),
            help="keep one of the two",
        )
