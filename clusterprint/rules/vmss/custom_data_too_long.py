from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import cloud_init
from clusterprint.nodes.vmss import LIMIT, encoded_size
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss import _settings


@rule(
    "AZ060",
    severity=Severity.ERROR,
    source="Azure: custom data and cloud-init on virtual machines",
    firm=True,
)
def custom_data_too_long(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A start-up script or a cloud-init file is too long to be passed to the machines.

    Azure gives each machine 64 KiB of custom data, which includes the scripts that set the machine up. What
    does not fit even compressed is refused.

    Shorten it, or let it fetch its larger parts.
    """
    for role in _settings.ROLES:
        parts = (_settings.startup_script(blueprint, role), _settings.cloud_init(blueprint, role))
        script, own = (_settings.readable(each, context) or "" for each in parts)
        try:
            size = encoded_size(role, _settings.settings(blueprint, script, own))
        except cloud_init.NotMergeable:
            continue
        longer = parts[0] if len(script) >= len(own) else parts[1]
        if size > LIMIT and isinstance(longer, TextFile):
            yield Finding(
                f"{_texts.name(longer)} is too long for the custom data of the {role}",
                context.at(longer, _texts.field(longer)),
                help="shorten it, or let it fetch its larger parts",
            )
