from collections import Counter

from clusterprint.blueprint.google import GoogleBlueprint, NetworkedBlueprint
from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.blueprint.storage import Storage, VmStorage
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import region_of
from clusterprint.derived import volumes
from clusterprint.rules import _may_lose, _mounts
from clusterprint.rules._held import all_held, held
from clusterprint.rules._repeated import repeated
from clusterprint.rules._sizes import nearest, sizes
from clusterprint.rules.google._host_network import host_network
from clusterprint.rules.google._hyperdisks import unconfirmed
from clusterprint.rules.google._netapp import or_flex
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, again, given, rule


@rule("GCP102", severity=Severity.ERROR, firm=True)
def volume_repeated(storage: Storage, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    yield from repeated(
        volumes.volumes(storage),
        context,
        lambda volume: f"there are two volumes called {volume.name}",
        first="the first one",
        help="give each a name of its own",
    )
    for bucket, before in again(all_held(context.blueprint), lambda each: each.name):
        yield Finding(
            f"bucket {bucket.name} is listed twice",
            bucket.place(context),
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


@rule("GCP065", severity=Severity.ERROR)
def mounts_overlap(storage: VmStorage, context: Context) -> Iterator[Finding]:
    yield from _mounts.overlapping(storage.volumes, context)


@rule("GCP109", severity=Severity.ERROR, firm=True)
def data_loss_said_once(storage: Storage, context: Context) -> Iterator[Finding]:
    yield from _may_lose.said_once(storage, (*volumes.volumes(storage), *storage.disk_pools), context)


@rule("GCP125", severity=Severity.WARNING)
def volume_type_unconfirmed(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    for volume in context.blueprint.storage.volumes:
        if help_text := unconfirmed(volume, nodes.machine_type):
            yield Finding(
                f"{nodes.machine_type} is not known to attach disks of type {volumes.disk_type(volume)}",
                context.at(volume, "type" if given(volume.type) else "kind"),
                also=(context.at(nodes, "machine_type", text="the machine type"),),
                help=help_text,
            )


@rule("GCP119", severity=Severity.ERROR, firm=True)
def direct_filestore_in_shared_vpc(
    made: GoogleVolume | FileClass, context: Context[NetworkedBlueprint]
) -> Iterator[Finding]:
    if made.kind != "filestore" or made.connect != "direct":
        return
    created = isinstance(made, FileClass) or made.create
    network = host_network(context.blueprint)
    if not created or network is None:
        return
    noun = "storage class" if isinstance(made, FileClass) else "volume"
    yield Finding(
        f"{noun} {made.name} has connect: direct, but network {network.name} is in project {network.project}",
        context.at(made, "connect"),
        also=(context.at(network, "project", text="the project of the network"),),
        help="remove connect",
    )


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


@rule("GCP063", severity=Severity.ERROR)
def state_bucket_as_data(
    part: GoogleVolume | LustreImport, context: Context[GoogleBlueprint]
) -> Iterator[Finding]:
    state = context.blueprint.backend.gcs
    bucket = held(part, context.blueprint)
    if bucket is None or bucket.suffix_length or bucket.name != state.bucket:
        return
    what = "created by this cluster" if bucket.create else "given to the nodes"
    if isinstance(part, LustreImport):
        what = "copied into a file system"
    yield Finding(
        f"bucket {bucket.name} holds the Terraform state, and is also {what}",
        bucket.place(context),
        also=(context.at(state, "bucket", text="the state bucket"),),
        help="use another bucket for data",
    )
