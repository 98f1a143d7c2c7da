"""Permissions of Google's service agents to use keys."""

import hashlib

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import kms_keys
from clusterprint.plan.google import KeyGrantPlan

_ROLE = "roles/cloudkms.cryptoKeyEncrypterDecrypter"


def resolve_key_grants(blueprint: KubernetesBlueprint) -> tuple[KeyGrantPlan, ...]:
    """One for each account and key, where they are to be granted."""
    if not blueprint.cluster.grant_kms_keys:
        return ()
    return tuple(
        KeyGrantPlan(name=_name(agent, key), key=key, agent=agent, role=_ROLE)
        for agent, key in dict.fromkeys(kms_keys.used(blueprint))
    )


def _name(agent: str, key: str) -> str:
    """Keys of several rings may be called alike, so there is a checksum of the whole path."""
    return f"{agent}-{key.rpartition('/')[2]}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"
