"""Memory that is encrypted while it is in use, for machines and node pools alike."""

from typing import Annotated, Literal

from clusterprint.blueprint.texts import choice

Confidential = Annotated[
    Literal["sev", "sev_snp", "tdx"],
    choice(
        description="Encrypt the memory of the nodes while it is in use (Confidential VM). Such nodes "
        "cannot be live-migrated. Left out: not encrypted.",
        values={
            "sev": "AMD Secure Encrypted Virtualization.",
            "sev_snp": "AMD SEV with Secure Nested Paging, which also proves integrity.",
            "tdx": "Intel Trust Domain Extensions; with the GPU of a3-highgpu-1g too.",
        },
    ),
]
