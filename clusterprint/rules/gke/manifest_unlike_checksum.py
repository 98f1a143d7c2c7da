from clusterprint.blueprint.gke.components import Manifest
from clusterprint.derived import vendored
from clusterprint.rules import _paths
from clusterprint.rules.gke._workloads import MOST_BYTES
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE361", severity=Severity.ERROR, source="The blueprint language: manifests", firm=True)
def manifest_unlike_checksum(manifest: Manifest, context: Context) -> Iterator[Finding]:
    """The file of a manifest does not match its checksum.

    It was changed after it was fetched, or is another version.

    Fetch it again with `clusterprint vendor`, and with `--force FILE` if that did not write it. To change
    what others publish, remove `url` and `sha256`.
    """
    if not (given(manifest.sha256) and given(manifest.file)):
        return
    named = _paths.named(manifest, context)
    if named is None or named.sort is not _paths.Sort.FILE:
        return
    content = _paths.head(named.path, MOST_BYTES)
    found = vendored.sha256(vendored.objects_of(content))
    if found != manifest.sha256:
        yield Finding(
            f"{named.shown} has the checksum {found}, not the one in the blueprint",
            context.at(manifest, "sha256"),
            help=f"fetch it again: clusterprint vendor{vendored.force(content)}",
        )
