from itertools import chain
from typing import NamedTuple

from clusterprint.blueprint.gke.cluster import Addons
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import volume_mounts
from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also, and_more, by_cause
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE205", severity=Severity.ERROR, firm=True)
def driver_of_volume_disabled(addons: Addons, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    needy = (_of_volumes(context), _of_classes(context))
    off = [
        each for each in chain(*needy) if context.wrote(addons, each.addon) and _is_off(addons, each.addon)
    ]
    for first, *rest in by_cause(off, lambda each: each.addon):
        yield Finding(
            f"{first.addon} is disabled, but {and_more(first.what, len(rest))} "
            f"{'need' if rest else 'needs'} it",
            context.at(addons, first.addon),
            also=also([each.place for each in (first, *rest)]),
            help=f"remove {first.addon}: false",
        )


class _Need(NamedTuple):
    """The users of an add-on, and their places."""

    addon: str
    what: str
    place: Label


def _is_off(addons: Addons, addon: str) -> bool:
    return getattr(addons, addon) is False


def _of_volumes(context: Context[KubernetesBlueprint]) -> Iterator[_Need]:
    for volume, kind in known(context.blueprint.storage.volumes, lambda each: each.kind):
        if kind in volume_mounts.DRIVERS:
            place = context.at(volume, "kind", text=f"this volume is of kind {kind}")
            yield _Need(volume_mounts.DRIVERS[kind], f"volume {volume.name}", place)


def _of_classes(context: Context[KubernetesBlueprint]) -> Iterator[_Need]:
    for made, kind in known(volume_mounts.classes(context.blueprint), volume_mounts.class_kind):
        place = context.at(made, "name", text="this class")
        yield _Need(volume_mounts.DRIVERS[kind], f"storage class {made.name}", place)
