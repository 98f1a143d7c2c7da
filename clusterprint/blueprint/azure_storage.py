"""Names of storage on Azure."""

from typing import Annotated

from clusterprint.blueprint.texts import looks_like

ShareName = Annotated[
    str,
    looks_like(
        "^[a-z0-9](-?[a-z0-9]){2,62}$",
        "a share or container name: 3 to 63 lower-case letters, digits and single hyphens, starting and "
        "ending with a letter or digit",
        "data",
    ),
]

StorageAccountName = Annotated[
    str,
    looks_like(
        "^[a-z0-9]{3,24}$",
        "the name of a storage account: 3 to 24 lower-case letters and digits",
        "mytrainingdata",
    ),
]
