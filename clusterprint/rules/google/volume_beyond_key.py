from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import google_provider, kms_keys, volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_NFS = "write kind: filestore with tier zonal or regional, or create: false for one that exists"


@rule("GCP171", severity=Severity.ERROR, firm=True)
def volume_beyond_key(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    key = kms_keys.of_all(blueprint)
    if not key or not volume.create:
        return
    reason, place, way_out = _refusal(volume, blueprint)
    if reason:
        yield Finding(
            f"volume {volume.name} cannot be encrypted with kms_key: {reason}",
            context.at(volume, place),
            also=(context.at(blueprint, "kms_key", text="the key"),),
            help=way_out,
        )


def _refusal(volume: GoogleVolume, blueprint: GoogleBlueprint) -> tuple[str, str, str]:
    """Why not, at which field, and what helps; empty texts if it can be."""
    if volume.kind in ("netapp", "parallelstore"):
        takes = (
            "NetApp takes keys only by a CMEK policy"
            if volume.kind == "netapp"
            else "Parallelstore takes no keys"
        )
        return takes, "kind", "write kind: lustre or filestore, or create: false for one that exists"
    if volume.kind == "filestore" and volumes.tier_name(volume).startswith("basic"):
        return f"tier {volumes.tier_name(volume)} takes no keys", "tier", "write tier: zonal or regional"
    if volume.kind == "lustre" and isinstance(blueprint, KubernetesBlueprint):
        return "Lustre with a key cannot be used with GKE", "kind", _NFS
    if volume.kind == "lustre" and google_provider.is_old(blueprint.terraform):
        return (
            f"google {google_provider.OLD} has no argument for it",
            "kind",
            "remove terraform.google_provider",
        )
    where = volume.location
    if volume.kind == "bucket" and where is not UNSET and where.lower() != blueprint.region:
        return f"it is in {where}, the key is not", "location", "remove location"
    return "", "", ""
