from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import durations, volumes
from clusterprint.rules import _buckets
from clusterprint.rules._held import held
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP060", severity=Severity.ERROR)
def bucket_name_not_allowed(part: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    # Whether it is created decides what it may be called; if that is unknown, so is this.
    bucket = held(part, context.blueprint)
    if bucket is None:
        return
    problem = _buckets.owned_problem(bucket.longest) if bucket.create else _buckets.problem(bucket.name)
    if problem:
        yield Finding(f"bucket {bucket.name} {problem.message}", bucket.place(context), help=problem.help)


_DAY = 24 * 60 * 60
#: The classes that objects may be moved between, each only to one further on.
_COLDER = ("standard", "nearline", "coldline", "archive")
#: What Cloud Storage takes as the retention of deleted objects, in days.
_SOFT_DELETE = (7, 90)


@rule("GCP111", severity=Severity.ERROR, firm=True)
def bucket_settings_conflict(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    if volume.kind != "bucket" or not volume.create:
        return
    if volumes.is_rapid(volume):
        yield from _beside_rapid(volume, context)
        return
    if volume.hierarchical_namespace and volume.versioning:
        yield _conflict(volume, "versioning", "hierarchical_namespace", context)
    if volume.autoclass and volume.storage_class not in (UNSET, "standard"):
        yield _conflict(volume, "storage_class", "autoclass", context)
    if volume.autoclass and any(each.action != "delete" for each in volume.lifecycle):
        yield _conflict(volume, "lifecycle", "autoclass", context)
    yield from _not_colder(volume, context)
    least, most = _SOFT_DELETE
    if not least * _DAY <= durations.seconds(volume.soft_delete) <= most * _DAY:
        yield Finding(
            f"deleted objects are kept for {least} to {most} days, not {volume.soft_delete}",
            context.at(volume, "soft_delete"),
            help=f"write {least}d to {most}d",
        )


def _not_colder(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """Rules for old objects that would find all of them in this class already, or in a colder one."""
    written = volume.storage_class
    if written is UNSET or volume.autoclass:
        return
    for rule_ in volume.lifecycle:
        if rule_.action != "delete" and _COLDER.index(rule_.action) <= _COLDER.index(written):
            yield Finding(
                f"objects of volume {volume.name} cannot move to {rule_.action}: they are {written} from the "
                "start",
                context.at(rule_, "action"),
                also=(context.at(volume, "storage_class", text="the class of new objects"),),
                help="remove this rule, or remove storage_class",
            )


def _beside_rapid(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    excluded = {
        "hierarchical_namespace": not volume.hierarchical_namespace,
        "lifecycle": any(each.action != "delete" for each in volume.lifecycle),
        **dict.fromkeys(("location", "versioning", "autoclass", "soft_delete", "anywhere_cache"), True),
    }
    for field, excludes in excluded.items():
        if excludes and context.wrote(volume, field):
            yield _conflict(volume, field, "storage_class", context, what="storage_class: rapid")


def _conflict(volume: GoogleVolume, field: str, other: str, context: Context, what: str = "") -> Finding:
    return Finding(
        f"bucket of volume {volume.name} cannot have {field} with {what or other}",
        context.at_key(volume, field),
        also=(context.at_key(volume, other, text="with this"),),
        help=f"remove {field} or {other}",
    )
