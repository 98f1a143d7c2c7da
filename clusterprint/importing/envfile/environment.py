"""The variables of an env file where docker has put them: in the environment, among others."""

from collections.abc import Mapping

from clusterprint.importing.envfile.read import Variable, bare
from clusterprint.importing.envfile.translate import MEANINGS
from clusterprint.importing.findings import Finding
from clusterprint.words import did_you_mean
from clusterprint.words.guesses import alike

# How alike a name must be to one of ours: the environment is full of names that are nobody's mistake.
_CLOSE = 0.85


def read_environment(environment: Mapping[str, str]) -> tuple[dict[str, Variable], list[Finding]]:
    """The variables of ours that have a value, and what may be the mistyped name of one."""
    found = {
        name: Variable(name, bare(text.strip()), 0, f"environment variable {name}")
        for name, text in environment.items()
        if name in MEANINGS and bare(text.strip())
    }
    findings = []
    for name in sorted(environment.keys() - MEANINGS.keys()):
        missed = [each for each in alike(name, MEANINGS, cutoff=_CLOSE) if each not in found]
        if missed:
            message = "no version of the container knows it"
            findings.append(
                Finding(0, "warning", message, did_you_mean(*missed), f"environment variable {name}")
            )
    return found, findings
