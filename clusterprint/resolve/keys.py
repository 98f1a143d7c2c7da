"""Permissions of Google's service agents to use keys."""

import hashlib
from collections.abc import Iterable

from clusterprint.derived.kms_keys import Agent
from clusterprint.plan.google import KeyGrantPlan

_ROLE = "roles/cloudkms.cryptoKeyEncrypterDecrypter"


def resolve_grants(used: Iterable[tuple[Agent, str]]) -> tuple[KeyGrantPlan, ...]:
    """One for each account and key."""
    return tuple(
        KeyGrantPlan(name=_name(agent, key), key=key, agent=agent, role=_ROLE)
        for agent, key in dict.fromkeys(used)
    )


def _name(agent: str, key: str) -> str:
    """Keys of several rings may be called alike, so there is a checksum of the whole path."""
    return f"{agent}-{key.rpartition('/')[2]}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"
