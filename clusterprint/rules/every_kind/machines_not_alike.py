from clusterprint import wishes
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived import machine_class
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.words import listed


@rule("BP278", severity=Severity.ERROR)
def machines_not_alike(_: Blueprint, context: Context) -> Iterator[Finding]:
    document = context.document.said or context.document
    for group in wishes.groups(document):
        for number, wish in enumerate(group.wishes):
            for key, own in group.own.items():
                differs = machine_class.differences(str(wish.get(key, own)), str(own))
                if differs and group.listed(number):
                    yield Finding(
                        f"{wish[key]} and {own} are not of one class: {listed(differs, 'and')}",
                        document.label(group.place_of(number)),
                        also=(document.label((*group.place, key), "the machines of the group"),),
                        help=f"remove it, or write a fallback with {key}: {wish[key]}, which may differ",
                    )
