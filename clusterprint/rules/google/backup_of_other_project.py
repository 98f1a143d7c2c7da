from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP150", severity=Severity.ERROR, source="Google Cloud: Filestore backups", firm=True)
def backup_of_other_project(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A Filestore is restored from a backup of another project.

    Backups can be restored in any region, but only in the project that they were created in.

    Name a backup of the cluster's project, or restore this one there and copy the files.
    """
    if volume.source_backup is UNSET or volume.kind != "filestore" or not volume.create:
        return
    project, own = volume.source_backup.split("/")[1], context.blueprint.project
    if project != own:
        yield Finding(
            f"volume {volume.name} cannot be restored from project {project}: the cluster is in {own}",
            context.at(volume, "source_backup"),
            also=(context.at(context.blueprint, "project", text="the project of the cluster"),),
            help=f"name a backup of project {own}",
        )
