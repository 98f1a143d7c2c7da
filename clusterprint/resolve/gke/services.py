"""The Google Cloud APIs that a cluster needs."""

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import kms_keys
from clusterprint.resolve import volumes
from clusterprint.resolve.gke.needs import Needs

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


def resolve_services(blueprint: KubernetesBlueprint, needs: Needs) -> tuple[str, ...]:
    """The APIs of what is switched on, and of what runs inside."""
    cluster = blueprint.cluster
    secrets: list[object] = [each for each in blueprint.secrets if each.create]
    secrets += [each for identity in blueprint.workload_identity for each in identity.secrets]
    secrets += [each for identity in needs.identities for each in identity.secrets]
    optional = {
        "binaryauthorization": cluster.binary_authorization,
        "cloudkms": any(kms_keys.granted(blueprint, registries=bool(needs.builds.registries))),
        "containerfilesystem": cluster.image_streaming,
        "containersecurity": cluster.security_posture,
        "file": cluster.addons.filestore,
        "gkehub": cluster.fleet,
        # Workloads act as an account with its short-lived credentials.
        "iamcredentials": any(each.service_account for each in blueprint.workload_identity),
        "lustre": cluster.addons.lustre,
        "parallelstore": cluster.addons.parallelstore,
        "secretmanager": cluster.addons.secret_manager or bool(secrets),
    }
    wanted = {*_ALWAYS, *(name for name, needed in optional.items() if needed)}
    named = (f"{name}.googleapis.com" for name in wanted)
    inside = (*needs.services, *volumes.services(blueprint.storage))
    return tuple(sorted({*named, *inside, *blueprint.more_services}))
