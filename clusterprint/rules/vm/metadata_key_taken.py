from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

# What to do instead of setting a key of metadata oneself.
_TAKEN = {
    "startup-script": "use startup_script",
    "clusterprint-startup-script": "use startup_script",
    "clusterprint-node": "remove it: it is the name of the node",
    "enable-guest-attributes": "remove it: nodes always report their setup there",
    "enable-oslogin": "use nodes.os_login",
    "VmDnsSetting": "remove it: nodes always have zonal names",
    "instance-template": "remove it: the managed instance group sets it",
    "created-by": "remove it: the managed instance group sets it",
}


@rule("VM060", severity=Severity.ERROR, source="Compute Engine: predefined metadata keys", firm=True)
def metadata_key_taken(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """A metadata key is set that clusterprint, or the group of nodes, sets itself.

    Metadata has one value for each key. Which of the two would win is not defined.

    Use the field of the blueprint instead, or remove it.
    """
    for key in blueprint.metadata:
        if key in _TAKEN:
            yield Finding(
                f"metadata {key} cannot be set here",
                context.at_key(blueprint, "metadata", key),
                help=_TAKEN[key],
            )
