from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules._held import held
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP063", severity=Severity.ERROR, source="Terraform: sensitive data in state")
def state_bucket_as_data(
    part: GoogleVolume | LustreImport, context: Context[GoogleBlueprint]
) -> Iterator[Finding]:
    """The bucket that holds the Terraform state is also given to the nodes, or copied into a file system.

    Whoever can log in to a node could read the state, which may hold secrets, and with write access
    change what Terraform does next. The state bucket also has to exist before anything is created, so
    the cluster cannot create it.

    Keep data and state in two buckets.
    """
    state = context.blueprint.backend.gcs
    bucket = held(part, context.blueprint)
    if bucket is None or bucket.suffix_length or bucket.name != state.bucket:
        return
    what = "created by this cluster" if bucket.create else "given to the nodes"
    if isinstance(part, LustreImport):
        what = "copied into a file system"
    yield Finding(
        f"bucket {bucket.name} holds the Terraform state, and is also {what}",
        bucket.place(context),
        also=(context.at(state, "bucket", text="the state bucket"),),
        help="use another bucket for data",
    )
