from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import region_of
from clusterprint.derived import volumes
from clusterprint.rules.google._netapp import or_flex
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP108", severity=Severity.ERROR, source="Google Cloud: regions and zones")
def volume_in_other_place(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A volume has a zone of another region, or needs a zone and has none.

    Filestore of a zonal tier, NetApp of level flex, Managed Lustre, Parallelstore, disks and buckets of class
    rapid are in one zone. From another region they are slow and their traffic is billed, and a disk cannot be
    attached at all.

    Leave `zone` out, where the cluster has a zone, or name one of its region.
    """
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
