from clusterprint.blueprint.gke.components import Manifest
from clusterprint.derived import kustomizations, vendored
from clusterprint.rules import _paths
from clusterprint.rules.gke._workloads import MOST_BYTES
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE455", severity=Severity.ERROR, source="The blueprint language: manifests", firm=True)
def kustomization_not_rendered(manifest: Manifest, context: Context) -> Iterator[Finding]:
    """The rendered file of a kustomization is out of date, or it cannot be rendered.

    Only the file is applied. Where the kustomization, one of its bases or a patch has changed since, or
    somebody has changed the file, the two say different things. Kustomizations that run programs (charts,
    plug-ins) or load from elsewhere are not rendered.

    Render again with `clusterprint vendor`, and commit what it writes. `--force FILE` replaces what somebody
    has changed.
    """
    if not (given(manifest.kustomization) and given(manifest.file)):
        return
    place, shown = context.at(manifest, "kustomization"), _paths.shown(manifest.kustomization)
    sort = _paths.sort_of(context.folder / manifest.kustomization, context.folder)
    if sort is not _paths.Sort.FOLDER:
        yield Finding(f"{shown} {sort.value}", place, help="name a folder with a kustomization.yaml")
        return
    try:
        inputs = kustomizations.inputs_of(manifest.kustomization, context.folder, manifest.file)
    except kustomizations.NotTaken as error:
        yield Finding(
            f"{shown} {error}",
            place,
            help="keep its sources beside the blueprint, or render it yourself",
        )
        return
    named = _paths.named(manifest, context)
    if named is None or named.sort is not _paths.Sort.FILE:
        return
    content = _paths.head(named.path, MOST_BYTES)
    wrong = kustomizations.difference(content, inputs)
    if wrong:
        yield Finding(
            f"{named.shown} {wrong}",
            context.at(manifest, "file"),
            help=f"render it again: clusterprint vendor{vendored.force(content)}",
        )
