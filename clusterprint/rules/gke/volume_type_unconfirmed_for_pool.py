from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import volumes
from clusterprint.rules.gke._mounts import again
from clusterprint.rules.gke._volume_zones import mounted_in, together
from clusterprint.rules.google._hyperdisks import unconfirmed
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE436", severity=Severity.WARNING)
def volume_type_unconfirmed_for_pool(
    blueprint: KubernetesBlueprint,  # noqa: ARG001 - its mounts
    context: Context[KubernetesBlueprint],
) -> Iterator[Finding]:
    for found in together(mounted_in(context), lambda each: each.pool.machine_type):
        (_, mount, volume), pool, _ = found.first
        if help_text := unconfirmed(volume, pool.machine_type):
            yield Finding(
                f"volume {volume.name} is a disk of type {volumes.disk_type(volume)}, which "
                f"{pool.machine_type} is not known to attach; {found.who_runs} on it",
                context.at(mount, "volume"),
                also=(
                    context.at(volume, "name", text="the disk"),
                    context.at(pool, "machine_type", text="the nodes"),
                    *again(found.others, context),
                ),
                help=help_text,
            )
