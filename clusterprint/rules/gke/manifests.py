from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.components import ChartValues, Manifest
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.catalog import Component
from clusterprint.derived import components, kustomizations, vendored
from clusterprint.derived.chart_values import chart_values
from clusterprint.derived.kubernetes_objects import NotReadable
from clusterprint.rules import _paths, _texts
from clusterprint.rules.gke._workloads import MOST_BYTES, all_objects, objects_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, given, rule


@rule("GKE130", severity=Severity.ERROR, firm=True)
def manifest_not_readable(manifest: Manifest, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    try:
        found = objects_of(manifest, context)
    except NotReadable as error:
        where = f", in line {error.line}" if error.line else ""
        yield Finding(
            f"{_texts.name(manifest)} {error}{where}",
            context.at(manifest, _texts.field(manifest)),
            help="write YAML documents, each an object with a name, as kubectl reads them",
        )
        return
    if not found and _texts.content(manifest, context) is not None:
        yield Finding(
            f"{_texts.name(manifest)} holds no object",
            context.at(manifest, _texts.field(manifest)),
            help="add one, or leave the manifest out",
        )


@rule("GKE131", severity=Severity.ERROR, firm=True)
def secret_in_manifest(manifest: Manifest, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    try:
        found = objects_of(manifest, context)
    except NotReadable:
        return
    for each in found:
        if each.kind == "Secret":
            yield Finding(
                f"{_texts.name(manifest)} holds the Secret {each.name}, in line {each.line}",
                context.at(manifest, _texts.field(manifest)),
                help="keep it in Secret Manager, and let the workload fetch it with its identity",
            )


@rule("GKE132", severity=Severity.ERROR, firm=True)
def object_repeated(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:  # noqa: ARG001 - their manifests
    for (manifest, found), (other, before) in again(all_objects(context), lambda each: each.found.identity):
        first = context.at(other, _texts.field(other), text=f"the first one, in line {before.line}")
        yield Finding(
            f"{_texts.name(manifest)} holds {found.kind} {found.name} again, in line {found.line}",
            context.at(manifest, _texts.field(manifest)),
            also=(first,),
            help="remove one, or give it another name",
        )


def _asked_for_alone() -> Iterator[Component]:
    """Without what only comes along with something else, such as cert-manager with a webhook."""
    return (each for _, each in components.on_offer() if "." not in each.workload)


@rule("GKE133", severity=Severity.WARNING)
def object_of_missing_component(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    carried = list(all_objects(context))
    defined = {
        each.found.content.get("spec", {}).get("group")
        for each in carried
        if each.found.kind == "CustomResourceDefinition" and isinstance(each.found.content.get("spec"), dict)
    }
    for manifest, found in carried:
        group = found.identity[0]
        component = next((each for each in _asked_for_alone() if each.brings(group, found.kind)), None)
        if component and group not in defined and not given(components.request(workloads, component)):
            name = component.workload
            yield Finding(
                f"{_texts.name(manifest)} holds {found.kind} {found.name}, but {name} is not installed",
                context.at(manifest, _texts.field(manifest)),
                help=f"add `{name}: {{}}` to the workloads",
            )


@rule("GKE247", severity=Severity.ERROR, firm=True)
def values_not_readable(values: ChartValues, context: Context) -> Iterator[Finding]:
    content = _texts.content(values, context)
    if content is None or not _texts.is_text(content):
        return
    try:
        chart_values(content.decode("utf-8", "replace"))
    except NotReadable as error:
        where = f", in line {error.line}" if error.line else ""
        yield Finding(
            f"{_texts.name(values)} {error}{where}",
            context.at(values, _texts.field(values)),
            help="write one map of values, as Helm reads it",
        )


@rule("GKE361", severity=Severity.ERROR, firm=True)
def manifest_unlike_checksum(manifest: Manifest, context: Context) -> Iterator[Finding]:
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


@rule("GKE455", severity=Severity.ERROR, firm=True)
def kustomization_not_rendered(manifest: Manifest, context: Context) -> Iterator[Finding]:
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
