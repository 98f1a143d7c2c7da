from clusterprint.blueprint.storage import Storage
from clusterprint.derived import volumes
from clusterprint.rules import _may_lose
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP109", severity=Severity.ERROR, source="The blueprint language: storage.may_lose", firm=True)
def data_loss_said_once(storage: Storage, context: Context) -> Iterator[Finding]:
    """Only one of two places says that the data of a volume may be destroyed.

    What holds data is destroyed only if the volume says `deletion_protection: false` and `storage.may_lose`
    names it: a line that is copied, or deleted by mistake, is not enough.

    Say it in both places, or in neither.
    """
    yield from _may_lose.said_once(storage, (*volumes.volumes(storage), *storage.disk_pools), context)
