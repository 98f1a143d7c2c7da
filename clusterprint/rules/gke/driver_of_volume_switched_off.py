from collections.abc import Iterator

from clusterprint.blueprint.gke.cluster import Addons
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import volume_mounts
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE205", severity=Severity.ERROR, source="Google Cloud: GKE add-ons", firm=True)
def driver_of_volume_switched_off(addons: Addons, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """An add-on that volumes or storage classes of this cluster need is switched off.

    Each kind of volume has a driver in the cluster, which mounts it in pods. Drivers are switched on when
    volumes need them; this one is switched off explicitly.

    Remove the setting.
    """
    for volume, kind in known(context.blueprint.storage.volumes, lambda each: each.kind):
        addon = volume_mounts.DRIVERS.get(kind)
        if addon and context.wrote(addons, addon) and getattr(addons, addon) is False:
            yield Finding(
                f"{addon} is switched off, but volume {volume.name} needs it",
                context.at(addons, addon),
                also=(context.at(volume, "kind", text=f"this volume is of kind {kind}"),),
                help=f"remove {addon}: false",
            )
    for made, of_class in known(volume_mounts.classes(context.blueprint), volume_mounts.class_kind):
        driver = volume_mounts.DRIVERS[of_class]
        if context.wrote(addons, driver) and getattr(addons, driver) is False:
            yield Finding(
                f"{driver} is switched off, but storage class {made.name} needs it",
                context.at(addons, driver),
                also=(context.at(made, "name", text="this class"),),
                help=f"remove {driver}: false",
            )
