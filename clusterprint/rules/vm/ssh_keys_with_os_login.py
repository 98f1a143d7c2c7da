from collections.abc import Iterator

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

_KEYS = ("ssh-keys", "sshKeys")


@rule("VM061", severity=Severity.ERROR, source="Compute Engine: about OS Login")
def ssh_keys_with_os_login(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """SSH keys are in the metadata, but OS Login is on and ignores them.

    With OS Login, IAM decides who may log in, and each person's keys belong to their account. Keys in
    metadata do not open anything.

    Remove the keys, or write `os_login: false` under `nodes`.
    """
    for key in _KEYS:
        if key in blueprint.metadata and blueprint.nodes.os_login:
            yield Finding(
                f"metadata {key} does nothing while OS Login is on",
                context.at_key(blueprint, "metadata", key),
                also=(context.at(blueprint.nodes, "os_login", text="OS Login"),)
                if context.wrote(blueprint.nodes, "os_login")
                else (),
                help="remove the keys, or write os_login: false under nodes",
            )
