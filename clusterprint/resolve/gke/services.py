"""The Google Cloud APIs that a cluster needs."""

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint

# GKE and what it is made of; accounts and their roles; where nodes send logs and metrics to, and pull
# images from.
_ALWAYS = (
    "artifactregistry",
    "cloudresourcemanager",
    "compute",
    "container",
    "iam",
    "logging",
    "monitoring",
    "storage",
)


def resolve_services(blueprint: KubernetesBlueprint) -> tuple[str, ...]:
    """The APIs of what is switched on."""
    cluster = blueprint.cluster
    secrets = cluster.addons.secret_manager or any(each.secrets for each in blueprint.workload_identity)
    optional = {
        "binaryauthorization": cluster.binary_authorization,
        "containerfilesystem": cluster.image_streaming,
        "containersecurity": cluster.security_posture.workloads or cluster.security_posture.vulnerabilities,
        "file": cluster.addons.filestore,
        "gkehub": cluster.fleet,
        "lustre": cluster.addons.lustre,
        "parallelstore": cluster.addons.parallelstore,
        "secretmanager": secrets,
    }
    wanted = [*_ALWAYS, *(name for name, needed in optional.items() if needed)]
    return tuple(f"{name}.googleapis.com" for name in sorted(wanted))
