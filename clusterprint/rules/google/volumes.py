from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.storage import Storage
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import region_of
from clusterprint.derived import volumes
from clusterprint.rules._held import all_held
from clusterprint.rules._repeated import repeated
from clusterprint.rules._sizes import nearest, sizes
from clusterprint.rules.google._netapp import or_flex
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, again, rule


@rule("GCP102", severity=Severity.ERROR, firm=True)
def volume_repeated(storage: Storage, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    yield from repeated(
        volumes.volumes(storage),
        context,
        lambda volume: f"there are two volumes called {volume.name}",
        first="the first one",
        help="give each a name of its own",
    )
    for held, before in again(all_held(context.blueprint), lambda each: each.name):
        yield Finding(
            f"bucket {held.name} is listed twice",
            held.place(context),
            also=(before.place(context, "first listed here"),),
            help="merge the two entries into one",
        )


@rule("GCP103", severity=Severity.ERROR)
def volume_size_not_sold(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    tier = volumes.tier(volume) if volume.create else None
    if tier is None or volume.size_gb is UNSET or tier.band(volume.size_gb):
        return
    yield Finding(
        f"there is no {_tier(volume)}{volume.kind} of {volume.size_gb:,} GiB",
        context.at(volume, "size_gb"),
        help=f"write {nearest(tier, volume.size_gb)}; there are {sizes(tier)}",
    )


def _tier(volume: GoogleVolume) -> str:
    if volume.kind == "lustre":
        return f"{volumes.lustre_throughput(volume)} MB/s per TiB "
    return "" if volume.kind == "parallelstore" else f"{volumes.tier_name(volume)} "


#: The setting by which something is in a volume from the start, by kind.


@rule("GCP108", severity=Severity.ERROR)
def volume_in_other_place(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    if volume.zone is not UNSET:
        if region_of(volume.zone) != blueprint.region:
            yield Finding(
                f"volume {volume.name} is in {volume.zone}, which is not in {blueprint.region}",
                context.at(volume, "zone"),
                also=(context.at(blueprint, "region", text="the cluster"),),
                help=f"name a zone of {blueprint.region}, or remove zone",
            )
        if volume.kind == "filestore" and volume.tier == "regional":
            yield Finding(
                f"Filestore of tier regional is in no zone, but volume {volume.name} has one",
                context.at(volume, "zone"),
                also=(context.at(volume, "tier", text="the tier"),),
                help="remove zone",
            )
        if volume.kind == "netapp" and not volumes.is_zonal_netapp(volume):
            level = volumes.tier_name(volume)
            yield Finding(
                f"NetApp of level {level} is in no zone, but volume {volume.name} has one",
                context.at(volume, "zone"),
                help=f"remove zone{or_flex(context)}",
            )
        if volume.kind == "bucket" and volume.create and not volumes.is_rapid(volume):
            yield Finding(
                f"the bucket of volume {volume.name} is in no zone, but the volume has one",
                context.at(volume, "zone"),
                help="remove zone, or add storage_class: rapid",
            )
    elif blueprint.zone is UNSET and volumes.is_zonal(volume):
        yield Finding(
            f"volume {volume.name} needs a zone, and none is given",
            context.at(volume, "kind"),
            help=f"add zone: a zone of {blueprint.region}",
        )
