from clusterprint import wishes
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP271", severity=Severity.ERROR, source="The blueprint language: an order of wishes for capacity")
def fallback_repeated(_: Blueprint, context: Context) -> Iterator[Finding]:
    """A fallback is the same as the capacity itself, or as a fallback before it.

    The cloud has no capacity for it, or `up` would not try the next one. The capacity lock says by their
    content which of the wishes counts, so two equal ones cannot be told apart. Trying all of them again for a
    while is `patience`.

    Remove the fallback, or give it another model, zone or machine type.
    """
    document = context.document.said or context.document
    for group in wishes.groups(document):
        for number, wish in enumerate(group.wishes):
            first = group.number(wish)
            if first is not None and first < number:
                yield Finding(
                    f"{group.name} has the wish {wishes.words(wish)} twice",
                    document.label(group.place_of(number)),
                    also=(document.label(group.place_of(first), "the first time"),),
                    help="remove it; patience says how long all of them are tried again",
                    removes=group.place_of(number),
                )
