from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.rules.gke._cluster_ranges import needs_gpu_networks
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

# What is about pools that are added is no setting of the cluster.
_KEPT = ("existing", "version", "grant_kms_keys")
_OF_GPUS = ("gpu_cidr", "allow_public_cidr")


@rule("GKE291", severity=Severity.ERROR, source="clusterprint: existing clusters")
def setting_of_existing_cluster(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """A setting is given for an existing cluster, for its network or its system pool.

    Nothing of an existing cluster is changed: only what runs inside is created, and `node_pools` are added.
    The setting would do nothing.

    Remove it, or have the owner of the cluster change it there.
    """
    cluster, network = blueprint.cluster, blueprint.network
    if not given(cluster.existing):
        return
    kept = _OF_GPUS if needs_gpu_networks(blueprint) else ()
    found: list[tuple[str, Part, str]] = [
        *(("cluster.", cluster, field) for field in cluster.__struct_fields__ if field not in _KEPT),
        *(("network.", network, field) for field in network.__struct_fields__ if field not in kept),
        ("", blueprint, "system_pool"),
    ]
    if not blueprint.node_pools and not _provisions(blueprint):
        found.append(("", blueprint, "service_account"))
    for within, part, field in found:
        if context.wrote(part, field):
            yield Finding(
                f"{within}{field} does nothing: the cluster exists already",
                context.at_key(part, field),
                also=(context.at_key(cluster, "existing", text="the existing cluster"),),
                help=f"remove {field}",
            )


def _provisions(blueprint: KubernetesBlueprint) -> bool:
    """Whether pools are made later, whose nodes have an account."""
    return isinstance(blueprint, GkeBlueprint) and given(blueprint.workloads.tpu_provisioner)
