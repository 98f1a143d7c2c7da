"""Protection that goes, quota that must be there, and what cannot be known."""

from collections.abc import Callable, Iterator, Sequence

from clusterprint.resource_types import resource_type
from clusterprint.review import facts
from clusterprint.review.capacity import capacity
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, get
from clusterprint.review.guards import has_deletion_protection, has_policy, is_prevented
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, titled
from clusterprint.review.values import value_changes
from clusterprint.words import counted


def protection(scene: ComparedCluster) -> Iterator[Risk]:
    """Guards against deletion that are there before and not after."""
    about = About(scene)
    for delta in scene.deltas:
        # Also of what stays as it is: `prevent_destroy` is nothing that a cloud knows.
        if delta.before is None or delta.after is None or delta.action == "moved":
            continue
        for what, guards in _GUARDS:
            if guards(delta.before) and not guards(delta.after):
                message = f"{titled(delta)} loses {what}"
                help_text = "the next change can then delete it without being stopped"
                yield about.risk("protection_removed", "high", message, [delta], help_text)


def _is_refused_unless_empty(bucket: Resource) -> bool:
    known = resource_type(bucket.type).protection
    return known is not None and known.argument == "force_destroy"


_GUARDS: Sequence[tuple[str, Callable[[Resource], bool]]] = (
    ("its deletion protection", has_deletion_protection),
    (
        "Terraform's own guard against deletion (prevent_destroy)",
        # Where both go together, one of them says it.
        lambda resource: is_prevented(resource) and not has_deletion_protection(resource),
    ),
    (
        "the provider's own guard against deletion (deletion_policy)",
        has_policy,
    ),
    (
        "the guard that keeps a bucket with objects from deletion (force_destroy is true now)",
        lambda resource: (
            _is_refused_unless_empty(resource) and get(resource.values, "force_destroy") is not True
        ),
    ),
    ("the versions of its objects", lambda resource: get(resource.values, "versioning.enabled") is True),
    (
        "its retention of deleted objects",
        lambda resource: (
            bool(get(resource.values, "soft_delete_policy.retention_duration_seconds"))
            or bool(get(resource.values, "retention_policy.retention_period"))
        ),
    ),
    (
        "its lock",
        lambda resource: get(resource.values, "purge_protection_enabled") is True,
    ),
)


def quota(scene: ComparedCluster) -> Iterator[Risk]:
    """Accelerators beyond what there is now: the project's quota has to hold them."""
    about = About(scene)
    for row in capacity(scene.machines_before, scene.machines_after):
        more = row.after.most_accelerators - row.before.most_accelerators
        if row.unit == "node" or more <= 0 or row.model == "reservation":
            continue
        where = _where(scene)
        message = (
            f"needs quota for {counted(more, row.unit)} more ({row.family}, {row.model.replace('_', '-')})"
            f"{f' in {where}' if where else ''}"
        )
        grown = [
            each
            for each in scene.deltas
            if each.action
            and each.resource.address in {machines.resource for machines in scene.machines_after}
        ]
        yield about.risk("quota_needed", "low", message, grown[:1])


def _where(scene: ComparedCluster) -> str:
    document = scene.after or scene.before
    data = document.data if document else {}
    return next((str(data[key]) for key in ("region", "location") if isinstance(data.get(key), str)), "")


def terraform(scene: ComparedCluster) -> Iterator[Risk]:
    """Drift that this change meets, and checks that did not pass."""
    about = About(scene)
    touched = {(each.resource.stack, each.resource.address): each for each in scene.deltas if each.action}
    for drifted in scene.drift:
        delta = touched.get((drifted.resource.stack, drifted.resource.address))
        if delta is None:
            continue
        differing = tuple(dict.fromkeys(each.path for each in value_changes(drifted)))
        met = _met(differing, delta)
        if differing and not met:
            continue
        paths = ", ".join(met) or "all of it"
        message = f"{titled(delta)} was changed outside of Terraform ({paths}), and this change affects it"
        yield about.risk("drift", "medium", message, [delta], "find out who changed it, and why")
    for check in scene.checks:
        message = f"{check.address} {'failed' if check.status == 'fail' else 'had an error'}"
        message += f": {check.messages[0]}" if check.messages else ""
        yield about.risk("check_failed", "high", message)


def _met(paths: tuple[str, ...], delta: Delta) -> tuple[str, ...]:
    """Which of these values a change touches.

    What it leaves as it is, may have changed by other resources of the same cluster: a group counts the nodes
    that its per-instance configurations name.
    """
    if delta.action != "changed":
        return paths
    touched = {each.path.partition(".")[0] for each in value_changes(delta)}
    return tuple(path for path in paths if path.partition(".")[0] in touched)


def uncertain(scene: ComparedCluster) -> Iterator[Risk]:
    """The limits of a comparison without Terraform."""
    about = About(scene)
    if scene.broken:
        message = f"what would change in {scene.name} is not known: {scene.broken}"
        yield about.risk("not_comparable", "medium", message)
    changed = [
        each
        for each in scene.deltas
        if each.action == "changed" and not each.certain and not facts.is_known(each.resource.type)
    ]
    types = sorted({each.resource.type for each in changed})
    if types:
        message = f"whether these change in place is not known here: {', '.join(types)}"
        yield about.risk("unknown_type", "low", message, changed, "look at a Terraform plan")
    unexpanded = [each for each in scene.deltas if each.action and each.resource.address.endswith("[*]")]
    if unexpanded:
        names = ", ".join(each.resource.base for each in unexpanded)
        message = f"how many there are, only Terraform can tell: {names}"
        yield about.risk("unknown_number", "low", message, unexpanded)
