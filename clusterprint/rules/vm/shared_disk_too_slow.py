from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import node_groups, volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM176", severity=Severity.WARNING)
def shared_disk_too_slow(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if not volumes.is_filled_disk(volume):
        return
    known, taken = catalog.disk_type(volumes.disk_type(volume)), volumes.provisioned(volume)
    # Without a size, only what is written is known.
    has = volume.throughput_mbps if given(volume.throughput_mbps) else taken.mibps if taken else 0
    nodes = sum(each.count for each in node_groups.groups(context.blueprint))
    if known is None or not has or (needed := known.mibps_for(nodes)) <= has:
        return
    is_sold = needed <= known.mibps_of(volumes.size_gib(volume)).most
    yield Finding(
        f"{nodes} nodes read volume {volume.name}, which has {has:,} MiB/s; they require {needed:,}",
        context.at(volume, "throughput_mbps" if given(volume.throughput_mbps) else "name"),
        help=f"set throughput_mbps: {needed}" if is_sold else "add size_gb and throughput_mbps",
    )
