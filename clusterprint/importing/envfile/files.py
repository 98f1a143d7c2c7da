"""An env file among others: as all readers of `import` are called."""

from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint.errors import UsageError
from clusterprint.importing.envfile.command import cleans_up
from clusterprint.importing.envfile.read import Variable, bare, read
from clusterprint.importing.envfile.translate import translate as translate_variables
from clusterprint.importing.findings import Finding
from clusterprint.importing.formats import Text
from clusterprint.importing.work import Translated


def translate(texts: Sequence[Text], given: Mapping[str, Any]) -> Translated:
    """The blueprint that an env file means."""
    if len(texts) > 1:
        raise UsageError(f"{texts[1].file}: an env file is imported alone")
    variables, findings = read(texts[0].text)
    variables |= {name: Variable(name, bare(value), 0, f"--var {name}") for name, value in given.items()}
    found = translate_variables(variables)
    if cleans_up(variables):
        lost = "CLEANUP_ON_EXIT is left out: it says what is to happen, and is `clusterprint up --ephemeral`"
        findings.append(Finding(variables["CLEANUP_ON_EXIT"].line, "loss", lost))
    return found._replace(findings=sorted([*findings, *found.findings]))
