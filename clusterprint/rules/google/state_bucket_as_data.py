from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules._held import held
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP063", severity=Severity.ERROR)
def state_bucket_as_data(
    part: GoogleVolume | LustreImport, context: Context[GoogleBlueprint]
) -> Iterator[Finding]:
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
