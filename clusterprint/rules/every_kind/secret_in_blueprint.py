from collections.abc import Iterator
from typing import Any

from clusterprint import masking
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.part import Part
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("BP230", severity=Severity.ERROR, source=masking.SOURCE)
def secret_in_blueprint(blueprint: Blueprint, context: Context) -> Iterator[Finding]:
    """A value in the blueprint looks like a password, a token or a key.

    Whoever can read the repository, the plan, the state or the metadata of a node could read it, and
    what was once committed stays in the history.

    Revoke it, for it is no longer a secret. Keep the new one in a secret store (Secret
    Manager, Key Vault) and let the nodes fetch it with an identity of their own.
    """
    for part, keys, text in _texts(blueprint):
        secret = masking.find(text)
        if secret:
            yield Finding(
                f"{keys[-1]} holds what looks like {secret.what}",
                context.at_key(part, *keys),
                help="revoke it, keep the new one in a secret store, and let the nodes fetch it from there",
            )


def _texts(part: Part) -> Iterator[tuple[Part, tuple[str | int, ...], str]]:
    """Every text in a blueprint, with the part and the keys that it stands under."""
    for field in part.__struct_fields__:
        yield from _texts_of(part, (field,), getattr(part, field))


def _texts_of(
    part: Part, keys: tuple[str | int, ...], value: Any
) -> Iterator[tuple[Part, tuple[str | int, ...], str]]:
    if value is BROKEN:
        return
    if isinstance(value, Part):
        yield from _texts(value)
    elif isinstance(value, str):
        yield part, keys, value
    elif isinstance(value, dict | tuple):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            # A list position says nothing to the reader, so the key of the list stands for its items.
            yield from _texts_of(part, (*keys, key) if isinstance(key, str) else keys, item)
