from clusterprint.blueprint.gke.components import Manifest
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE360", severity=Severity.ERROR, source="The blueprint language: manifests", firm=True)
def manifest_source_incomplete(manifest: Manifest, context: Context) -> Iterator[Finding]:
    """A manifest has a URL without a checksum, or the other way round.

    What is at a URL may change. The checksum ensures that the file is the one that was reviewed, and `file`
    is where it is kept beside the blueprint.

    Write `url`, `sha256` and `file` together.
    """
    url, checksum = given(manifest.url), given(manifest.sha256)
    if url != checksum:
        there, lacking = ("url", "sha256") if url else ("sha256", "url")
        yield Finding(
            f"a manifest has {there} without {lacking}",
            context.at(manifest, there),
            help="write both; `clusterprint vendor` shows the checksum of what it fetches",
        )
    elif url and not given(manifest.file):
        yield Finding(
            "a manifest has a url, but no file that it is kept in",
            context.at(manifest, "url"),
            help="name a file beside the blueprint, such as file: ./vendor/objects.yaml",
        )
