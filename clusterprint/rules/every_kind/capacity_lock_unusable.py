from clusterprint import wishes
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.wishes import lock

_SOURCE = "The blueprint language: an order of wishes for capacity"


@rule("BP274", severity=Severity.ERROR, firm=True)
def capacity_lock_unusable(_: Blueprint, context: Context) -> Iterator[Finding]:
    document = context.document.said or context.document
    found = wishes.groups(document)
    file = lock.file_of(document) if found else None
    if file is None:
        return
    try:
        lock.read(file)
    except lock.BrokenCapacityLock as broken:
        yield Finding(
            f"{file.name} {broken}",
            document.label((*found[0].place, "capacity", "fallbacks")),
            help="restore it from the repository; if the cluster does not exist, delete it",
        )


@rule("BP275", severity=Severity.WARNING)
def capacity_lock_outdated(_: Blueprint, context: Context) -> Iterator[Finding]:
    document = context.document.said or context.document
    groups = {each.name: each for each in wishes.groups(document)}
    file = lock.file_of(document) if groups else None
    try:
        entries = lock.read(file).groups if file else {}
    except lock.BrokenCapacityLock:
        return
    for name, entry in entries.items():
        group = groups.get(name)
        if group and group.number(entry.capacity) is not None:
            continue
        near = group or next(iter(groups.values()))
        what = (
            f"{wishes.words(entry.capacity)} for {name}" if group else f"the group {name}, without fallbacks"
        )
        yield Finding(
            f"{file.name if file else ''} has {what}, which is no wish of this blueprint",
            document.label((*near.place, "capacity", "fallbacks")),
            help="put it back, or remove the entry: the group then has its first wish",
        )
