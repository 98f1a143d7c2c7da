from clusterprint.blueprint.azure_volumes import AzureStorage
from clusterprint.rules import _may_lose
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ092", severity=Severity.ERROR, firm=True)
def loss_of_azure_volume_said_once(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    yield from _may_lose.said_once(storage, storage.volumes, context)
