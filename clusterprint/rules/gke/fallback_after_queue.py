from clusterprint import wishes
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE300", severity=Severity.NOTE)
def fallback_after_queue(_: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    document = context.document.said or context.document
    for group in wishes.groups(document):
        models = [each["model"] for each in group.wishes]
        if "flex_start" in models[:-1]:
            yield Finding(
                f"up never tries this fallback: pool {group.name} with flex_start is created without any "
                "nodes",
                document.label(group.place_of(models.index("flex_start") + 1)),
                help="put flex_start last, or use a compute class of two pools",
            )
