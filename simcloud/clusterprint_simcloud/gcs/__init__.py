"""A Cloud Storage emulator: the part of the API that Terraform's `gcs` backend and Google's clients use."""

from clusterprint_simcloud.gcs.server import Emulator
from clusterprint_simcloud.gcs.store import Fault, Refusal, Store

__all__ = ["Emulator", "Fault", "Refusal", "Store"]
