"""The owner of a pool: written on it when it is created, and verified before each change."""

import hashlib
import re
from collections.abc import Mapping

from msgspec import Struct

_PREFIX = "clusterprint/slice-"
MANAGER = f"{_PREFIX}manager"
ATTEMPT = f"{_PREFIX}attempt"
HASH = f"{_PREFIX}hash"
CHIPS = f"{_PREFIX}chips"
#: The item in the metadata of nodes that says the same once more, as labels are easily copied.
METADATA = "clusterprint-slice"
_WE = "slice-provisioner"
_FIELDS = ("kind", "namespace", "owner", "uid", "job")
_LONGEST = 27  # of a pool's name, which has 40 characters, a dash and 12 digits of the checksum


class Identity(Struct, frozen=True, order=True):
    """A group of pods and its owner; a job that stands alone is both. Made anew, it is another one."""

    kind: str
    namespace: str
    owner: str
    uid: str
    job: str

    @property
    def pool(self) -> str:
        """The name of its pool: the same after every restart, and nobody else's."""
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:12]
        stem = re.sub(r"[^a-z0-9-]", "-", self.job.lower())[:_LONGEST].strip("-")
        return f"{stem if stem[:1].isalpha() else f'p{stem}'[:_LONGEST]}-{digest}"

    @property
    def text(self) -> str:
        """All of it in one text."""
        return f"{self.kind}/{self.namespace}/{self.owner}/{self.uid}/{self.job}"

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the pool and its nodes."""
        return {MANAGER: _WE, **{f"{_PREFIX}{name}": getattr(self, name) for name in _FIELDS}}

    @property
    def shown(self) -> str:
        """As people call it."""
        return f"{self.namespace}/{self.owner}" + (f" ({self.job})" if self.job != self.owner else "")


def claim(name: str, labels: Mapping[str, str], metadata: Mapping[str, str]) -> Identity | None:
    """Whose pool that is, if it is one of ours: labels, metadata and its name have to agree."""
    if labels.get(MANAGER) != _WE:
        return None
    identity = Identity(*(labels.get(f"{_PREFIX}{field}", "") for field in _FIELDS))
    return identity if identity.pool == name and metadata.get(METADATA) == identity.text else None
