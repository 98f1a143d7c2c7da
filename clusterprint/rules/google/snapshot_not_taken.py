from collections import Counter

from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP161", severity=Severity.ERROR, firm=True)
def snapshot_not_taken(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    if volume.kind != "filestore" or not volume.create or not volume.snapshots:
        return
    tier = volumes.filestore_tier(volume)
    if tier and not tier.snapshots:
        yield Finding(
            f"a filestore of tier {volumes.tier_name(volume)} has no snapshots",
            context.at_key(volume, "snapshots"),
            also=(context.at(volume, "tier", text="the tier"),),
            help="remove snapshots, or use tier: zonal, which creates another instance",
        )
    for name, times in Counter(volume.snapshots).items():
        if times > 1:
            yield Finding(
                f"two snapshots of volume {volume.name} are called {name}",
                context.at(volume, "snapshots"),
                help="give one of them another name",
            )
