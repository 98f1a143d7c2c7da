from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import volume_mounts
from clusterprint.rules._groups import by_cause
from clusterprint.rules.gke._mounts import again, all_mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE201", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def mount_without_path(
    _blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A workload mounts a volume, but no path is given.

    A volume can have a path for all workloads that mount it, `mount`; a workload can set its own, `path`.
    Neither is given.

    Write one of the two.
    """
    paths = known(all_mounts(context), lambda each: volume_mounts.path(each.mount, each.volume))
    nowhere = [mounting for mounting, path in paths if not given(path)]
    for first, *rest in by_cause(nowhere, lambda each: each.volume.name):
        yield Finding(
            f"volume {first.volume.name} is mounted, but no path is given",
            context.at(first.mount, "volume"),
            also=(
                context.at(first.volume, "name", text="this volume"),
                *again([each.mount for each in rest], context),
            ),
            help=f"add `path` {'to each of them' if rest else 'here'}, or `mount` to the volume",
        )
