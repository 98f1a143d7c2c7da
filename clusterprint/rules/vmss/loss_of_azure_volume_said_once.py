from clusterprint.blueprint.azure_volumes import AzureStorage
from clusterprint.rules import _may_lose
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ092", severity=Severity.ERROR, source="The blueprint language: storage.may_lose", firm=True)
def loss_of_azure_volume_said_once(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    """Only one of two places says that the data of a volume may be destroyed.

    What holds data is destroyed only if the volume says `deletion_protection: false` and
    `storage.may_lose` names it: a line that is copied, or deleted by mistake, is not enough.

    Say it in both places, or in neither.
    """
    yield from _may_lose.said_once(storage, storage.volumes, context)
