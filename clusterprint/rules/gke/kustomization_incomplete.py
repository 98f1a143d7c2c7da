from clusterprint.blueprint.gke.components import Manifest
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE454", severity=Severity.ERROR, source="The blueprint language: manifests", firm=True)
def kustomization_incomplete(manifest: Manifest, context: Context) -> Iterator[Finding]:
    """A kustomization is named without the file that it is rendered to, or with another source.

    What is rendered is kept in `file`, which is committed and is all that is applied. A file has one source.

    Name a file, and remove `url` and `inline`.
    """
    if not given(manifest.kustomization):
        return
    if not given(manifest.file):
        yield Finding(
            "a manifest has a kustomization, but no file that it is rendered to",
            context.at(manifest, "kustomization"),
            help="name a file beside the blueprint, such as file: ./rendered.yaml",
        )
    if given(manifest.url):
        yield Finding(
            "a manifest is rendered from a kustomization, and fetched from a url",
            context.at(manifest, "kustomization"),
            also=(context.at(manifest, "url", text="the url"),),
            help="keep one of the two",
        )
