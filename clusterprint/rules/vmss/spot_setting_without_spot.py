from clusterprint.blueprint.azure_machines import AzureCapacity
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ015", severity=Severity.ERROR, source="Azure: Spot virtual machines for scale sets")
def spot_setting_without_spot(capacity: AzureCapacity, context: Context) -> Iterator[Finding]:
    """A setting of spot machines is written for machines that are not spot.

    Only spot machines are evicted, and only they have a price that changes. Azure refuses the settings for
    others.

    Write `model: spot`, or remove the setting.
    """
    if capacity.model == "spot":
        return
    for field in ("eviction_policy", "max_price"):
        if context.wrote(capacity, field):
            yield Finding(
                f"{field} is for spot machines, but the capacity model is {capacity.model}",
                context.at_key(capacity, field),
                help=f"write model: spot, or remove {field}",
            )
