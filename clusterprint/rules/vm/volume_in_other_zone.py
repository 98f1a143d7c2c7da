from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.catalog import region_of
from clusterprint.derived import node_groups, volumes
from clusterprint.rules.google._places import is_known, nearer
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule("VM175", severity=Severity.WARNING)
def volume_in_other_zone(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if volume.kind == "disk" or not volumes.is_zonal(volume):
        return
    blueprint = context.blueprint
    zone = volume.zone if given(volume.zone) else blueprint.zone
    if region_of(zone) != blueprint.region or not is_known(zone):
        return  # said by other rules
    groups = node_groups.groups(blueprint)
    places = tuple(dict.fromkeys(zone for each in groups for zone in node_groups.zones(blueprint, each)))
    if places and zone not in places:
        yield Finding(
            f"volume {volume.name} is in {zone}; nodes are in {listed(places, 'and')}",
            context.at(volume, "zone" if given(volume.zone) else "name"),
            also=(context.at(groups[0], "machine_type", text="the nodes"),),
            help=nearer(volume, zone, places[0]),
        )
