from clusterprint.blueprint.storage import Storage
from clusterprint.derived import volumes
from clusterprint.rules import _may_lose
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP109", severity=Severity.ERROR, firm=True)
def data_loss_said_once(storage: Storage, context: Context) -> Iterator[Finding]:
    yield from _may_lose.said_once(storage, (*volumes.volumes(storage), *storage.disk_pools), context)
