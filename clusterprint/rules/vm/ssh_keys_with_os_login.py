from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_KEYS = ("ssh-keys", "sshKeys")


@rule("VM061", severity=Severity.ERROR, source="Compute Engine: about OS Login")
def ssh_keys_with_os_login(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """SSH keys are in the metadata, but OS Login is on and ignores them.

    With OS Login, IAM decides who may log in, and each person's keys belong to their account. Keys in
    metadata do not open anything.

    Remove the keys, or write `os_login: false` under `nodes`.
    """
    for key in _KEYS:
        if key not in blueprint.metadata:
            continue
        groups = node_groups.groups(blueprint)
        if groups and all(each.os_login for each in groups):
            under = "nodes" if len(groups) == 1 else "the groups"
            written = [each for each in groups if context.wrote(each, "os_login")]
            yield Finding(
                f"metadata {key} does nothing while OS Login is on",
                context.at_key(blueprint, "metadata", key),
                also=tuple(context.at(each, "os_login", text="OS Login") for each in written),
                help=f"remove the keys, or write os_login: false under {under}",
            )
