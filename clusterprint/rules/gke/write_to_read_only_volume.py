from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules._groups import by_cause
from clusterprint.rules.gke._mounts import again, all_mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE202", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def write_to_read_only_volume(
    _blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A workload writes to a read-only volume.

    `access: read_only` of a volume applies to all workloads: its claims are read-only, and nobody has more
    rights to its bucket.

    Mount it read-only, or allow writing to the volume: not to a disk, which only one node could write to.
    """
    accesses = known(all_mounts(context), lambda each: (each.mount.access, each.volume.access))
    refused = [mounting for mounting, access in accesses if access == ("read_write", "read_only")]
    for first, *rest in by_cause(refused, lambda each: each.volume.name):
        here = f"remove access {'from each of them' if rest else 'here'}"
        yield Finding(
            f"volume {first.volume.name} cannot be written to",
            context.at(first.mount, "access"),
            also=(
                context.at(first.volume, "access", text="it is read-only"),
                *again([each.mount for each in rest], context, "access"),
            ),
            help=here if first.volume.kind == "disk" else f"{here}, or access: read_only from the volume",
        )
