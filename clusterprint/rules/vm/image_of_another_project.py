from clusterprint.blueprint.container import Container
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_ray import NodeRay
from clusterprint.derived import node_containers
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_ROLES = (
    "roles/artifactregistry.reader",
    "roles/artifactregistry.writer",
    "roles/artifactregistry.repoAdmin",
)


@rule("VM127", severity=Severity.NOTE, source="Artifact Registry: access control with IAM")
def image_of_another_project(
    container: Container | NodeRay, context: Context[VmBlueprint]
) -> Iterator[Finding]:
    """The image is in a Google registry that the cluster does not give its nodes access to.

    Nodes get permission to read the repository of Artifact Registry (`pkg.dev`) that an image is in, if it
    belongs to the cluster's project. Owners of repositories in other projects, and of the old `gcr.io`, grant
    access themselves. A public image needs nothing.

    Let the owner grant the nodes' service account roles/artifactregistry.reader on the repository, unless
    everybody may read it.
    """
    if container.image is UNSET or not node_containers.is_of_google(container.image):
        return
    repository = node_containers.repository_of(container.image)
    if repository is not None and repository.project == context.blueprint.project:
        return
    if repository is None and any(role in _ROLES for role in context.blueprint.service_account.roles):
        return
    where = f"project {repository.project}" if repository else "gcr.io"
    yield Finding(
        f"the image is in a repository of {where}, which the nodes need permission to read",
        context.at(container, "image"),
        help="grant the nodes' service account roles/artifactregistry.reader there, unless it is public",
    )
