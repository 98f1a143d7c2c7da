from collections.abc import Iterator

from clusterprint.blueprint.storage import Storage
from clusterprint.derived import volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known, values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP109", severity=Severity.ERROR, source="The blueprint language: storage.may_lose", firm=True)
def data_loss_said_once(storage: Storage, context: Context) -> Iterator[Finding]:
    """Only one of two places says that the data of a volume may be destroyed.

    What holds data is destroyed only if the volume says `deletion_protection: false` and `storage.may_lose`
    names it: a line that is copied, or deleted by mistake, is not enough.

    Say it in both places, or in neither.
    """
    by_name = {name: volume for volume, name in known(volumes.volumes(storage), lambda each: each.name)}
    listed = set()
    for index, name in values(storage, "may_lose"):
        listed.add(name)
        if name not in by_name:
            yield Finding(
                f"there is no volume {name} whose data could be lost",
                context.at(storage, "may_lose", index),
                help=f"remove {name}",
            )
        elif not by_name[name].create:
            yield Finding(
                f"volume {name} was not created by this cluster, which destroys nothing of it",
                context.at(storage, "may_lose", index),
                help=f"remove {name}",
            )
        elif volumes.is_protected(by_name[name]):
            yield Finding(
                f"volume {name} is protected, though storage.may_lose names it",
                context.at(storage, "may_lose", index),
                also=(context.at(by_name[name], "name", text="this volume"),),
                help=f"add deletion_protection: false to the volume, or remove {name} here",
            )
    for name, volume in by_name.items():
        if name not in listed and not volume.deletion_protection:
            yield Finding(
                f"volume {name} is not protected, but storage.may_lose does not name it",
                context.at(volume, "deletion_protection"),
                help=f"add may_lose: [{name}] to storage, or remove deletion_protection: false",
            )
