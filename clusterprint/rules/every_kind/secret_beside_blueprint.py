from collections.abc import Iterator

from clusterprint import masking
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("BP110", severity=Severity.ERROR, source=masking.SOURCE)
def secret_beside_blueprint(blueprint: Blueprint, context: Context) -> Iterator[Finding]:  # noqa: ARG001 - once for each
    """A value under an `x-` key looks like a password, a token or a key.

    These keys are ignored, but they stand in the file: whoever can read the repository can read them, and
    what was once committed stays in the history.

    Revoke it, for it is no longer a secret, and remove it from the file.
    """
    for key, text, place in context.notes():
        secret = masking.find(text)
        if secret:
            yield Finding(
                f"{key} holds what looks like {secret.what}",
                place,
                help="revoke it, keep the new one in a secret store, and let the nodes fetch it from there",
            )
