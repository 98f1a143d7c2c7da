from clusterprint import wishes
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP271", severity=Severity.ERROR)
def fallback_repeated(_: Blueprint, context: Context) -> Iterator[Finding]:
    document = context.document.said or context.document
    for group in wishes.groups(document):
        whole = [{**group.own, **each} for each in group.wishes]
        for number, wish in enumerate(group.wishes):
            first = whole.index(whole[number])
            if first < number:
                yield Finding(
                    f"{group.name} has the wish {wishes.words(wish)} twice",
                    document.label(group.place_of(number)),
                    also=(document.label(group.place_of(first), "the first time"),),
                    help="remove it; patience says how long all of them are tried again",
                    removes=group.place_of(number),
                )
