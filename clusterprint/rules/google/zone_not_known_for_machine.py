from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import region_of, zones_of
from clusterprint.diagnostic import Label
from clusterprint.rules.google._attached_gpus import attached
from clusterprint.rules.google._places import is_known
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule, values


@rule("GCP009", severity=Severity.WARNING)
def zone_not_known_for_machine(group: MachineGroup, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    found = attached(group)
    what = found.asked.type if found else group.machine_type
    known = zones_of(what)
    if known is None:
        return
    region = context.blueprint.region
    for zone, place in _zones(group, context):
        if region_of(zone) != region or zone in known or not is_known(zone):
            continue
        yield Finding(
            f"{what} is not known to be in zone {zone}",
            place,
            also=(
                context.at(found.asked, "type", text="the GPU")
                if found
                else context.at(group, "machine_type", text="the machine type"),
            ),
            help=_help_for(known, region),
        )


def _zones(group: MachineGroup, context: Context[GoogleBlueprint]) -> Iterator[tuple[str, Label]]:
    """Where machines are to be; a group may have zones of its own."""
    if group.zones:
        for index, zone in values(group, "zones"):
            yield zone, context.at(group, "zones", index)
    elif group.zone is not UNSET:
        yield group.zone, context.at(group, "zone")
    elif context.blueprint.zone is not UNSET:
        yield context.blueprint.zone, context.at(context.blueprint, "zone")


def _help_for(known: tuple[str, ...], region: str) -> str:
    near = [zone for zone in known if region_of(zone) == region]
    if near:
        return f"in {region} it is known to be in {listed(near, 'and')}"
    return f"it is known to be in {listed(sorted({region_of(zone) for zone in known}), 'and')}"
