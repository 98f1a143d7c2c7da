from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.cluster import Addons
from clusterprint.derived import checkpoints
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE396", severity=Severity.ERROR, source="Google Cloud: multi-tier checkpointing in GKE", firm=True)
def checkpointing_disabled(addons: Addons, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The add-on that keeps the checkpoints of this cluster is disabled.

    `workloads.checkpoints` enables it; here it is disabled explicitly.

    Remove `multi_tier_checkpointing: false`, or the checkpoints.
    """
    asked = checkpoints.asked(context.blueprint)
    if asked and given(addons.multi_tier_checkpointing) and not addons.multi_tier_checkpointing:
        yield Finding(
            "multi_tier_checkpointing is disabled, but there are checkpoints",
            context.at(addons, "multi_tier_checkpointing"),
            also=(context.at(asked, text="the checkpoints"),),
            help="remove multi_tier_checkpointing: false",
        )
