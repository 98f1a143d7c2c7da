from collections.abc import Callable

from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.gke._versions import help_text, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule

_Made = GoogleVolume | FileClass

# The fields that ask for features of the driver. The tier of a volume is Terraform's business.
_USES: dict[str, tuple[str, Callable[[_Made], bool]]] = {
    "filestore-regional": ("tier", lambda made: isinstance(made, FileClass) and made.tier == "regional"),
    "filestore-shares": (
        "max_share_gb",
        lambda made: isinstance(made, FileClass) and given(made.max_share_gb),
    ),
    "filestore-nfs-v4.1": (
        "protocol",
        lambda made: made.kind == "filestore" and made.protocol == "nfs_v4_1",
    ),
}


@rule("GKE437", severity=Severity.ERROR, source="Google Cloud: GKE, the Filestore CSI driver")
def version_without_filestore(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """The driver of Filestore in this version of GKE is too old for a volume or a storage class.

    It comes with GKE: claims of tier regional, and whatever uses NFS 4.1, needs one of certain versions.
    Claims would wait forever, and pods would mount by NFS 3, which the instance does not support.

    Write the version that the help names; if it says so, `version` may also be left out, for the default of
    the release channel.
    """
    version = version_of(cluster)
    if version is None:
        return
    for name, (field, needs) in _USES.items():
        feature = catalog.gke_feature(name)
        for made, needed in known(volumes.with_classes(context.blueprint.storage), needs):
            if needed and not feature.is_in(version):
                noun = "storage class" if isinstance(made, FileClass) else "volume"
                yield Finding(
                    f"the Filestore driver of GKE {cluster.version} does not support {field}: "
                    f"{getattr(made, field)}, which {noun} {made.name} uses",
                    context.at(cluster, "version"),
                    also=(context.at(made, field, text=f"the {noun}"),),
                    help=help_text(feature.first_after(version), cluster, context),
                )
