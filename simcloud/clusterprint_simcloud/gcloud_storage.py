"""`gcloud storage ls --recursive` and `gcloud storage cat`, about the buckets of a world that is kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE
from clusterprint_simcloud.gcs.kept import KeptStore
from clusterprint_simcloud.gcs.store import Refusal


def answer(words: Sequence[str]) -> int:
    """Answer `ls ADDRESS` or `cat ADDRESS`; returns the exit code."""
    if len(words) != 2 or words[0] not in {"ls", "cat"} or not words[1].startswith("gs://"):  # noqa: PLR2004
        return _refuse(f"the simulated gcloud does not know: storage {' '.join(words)}")
    bucket, _, name = words[1].removeprefix("gs://").partition("/")
    store = KeptStore(Path(os.environ[CLOUD_VARIABLE]).parent / "storage")
    try:
        with store.session(changing=False):
            if words[0] == "cat":
                sys.stdout.write(store.find(bucket, name).data.decode())
                return 0
            # With `**` in it, an address is a pattern; without, what begins so is listed.
            before, any_folder, after = name.partition("**/")
            listed = [one["name"] for one in store.listing(bucket, {"prefix": before})["items"]]
            found = [one for one in listed if not any_folder or f"/{one}".endswith(f"/{after}")]
    except Refusal as refusal:
        return _refuse(f"gs://{bucket} {refusal.message}")
    if not found:
        return _refuse("One or more URLs matched no objects.")
    sys.stdout.write("".join(f"gs://{bucket}/{one}\n" for one in found))
    return 0


def _refuse(text: str) -> int:
    print(f"ERROR: (gcloud.storage) {text}", file=sys.stderr)  # noqa: T201  (a command)
    return 1
