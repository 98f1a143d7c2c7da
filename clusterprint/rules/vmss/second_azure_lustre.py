from itertools import islice

from clusterprint.blueprint.azure_volumes import AzureStorage
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("AZ112", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def second_azure_lustre(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    """A cluster creates more than one Lustre file system.

    The subnet of a file system can never be moved or made larger, so a cluster keeps room for one. One that
    is twice as large is also twice as fast.

    Make one file system with a folder for each use, or let another cluster create the second one and mount it
    with `create: false`.
    """
    lustres = [each for each, is_one in known(storage.volumes, _is_created_lustre) if is_one]
    for each in islice(lustres, 1, None):
        yield Finding(
            f"a cluster can create only one Lustre file system, and {each.name} would be a second one",
            context.at(each, "name"),
            also=(context.at(lustres[0], "name", text="the first one"),),
            help="create one that is as large as both, or mount an existing one: create: false, address: IP",
        )


def _is_created_lustre(volume: object) -> bool:
    return getattr(volume, "kind", "") == "managed_lustre" and bool(getattr(volume, "create", False))
