from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.volumes import KubernetesVolume
from clusterprint.derived import volume_mounts
from clusterprint.rules.gke._mounts import all_mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE207", severity=Severity.WARNING, source="The blueprint language: storage.volumes")
def mount_of_volume_unused(
    volume: KubernetesVolume, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A volume has a mount path, but no workload mounts it there.

    In a Kubernetes cluster volumes appear in pods, not on nodes: in those of workloads that name them under
    `mounts`, at their own `path` or at this place. Manifests that claim the volume say a place of their own.

    Name the volume under `mounts` of a workload, or remove `mount`.
    """
    if not given(volume.mount):
        return
    place = volume.mount.rstrip("/")
    here = (each for each in all_mounts(context) if each.volume is volume)
    if not any(volume_mounts.path(each.mount, volume) == place for each in here):
        yield Finding(
            f"no workload mounts volume {volume.name} at {volume.mount}",
            context.at(volume, "mount"),
            help=f"add `mounts: [{{volume: {volume.name}}}]` to a workload, or remove mount",
        )
