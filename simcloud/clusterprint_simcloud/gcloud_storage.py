"""`gcloud storage`, about the buckets of a world that is kept, and the results of its runs.

It knows `ls --recursive`, `cat`, `service-agent`, `buckets describe`, `create` and `update`, and of
`objects update` what says how a run is to end (`--custom-metadata=simulated-outcome=failed`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud
from clusterprint_simcloud.gcs.kept import KeptStore
from clusterprint_simcloud.gcs.store import Refusal
from clusterprint_simcloud.google import assumed
from clusterprint_simcloud.google.storage import BUCKET
from clusterprint_simcloud.work import machine_runs, runs

_OUTCOME = "simulated-outcome="


def answer(words: Sequence[str], options: Mapping[str, str]) -> int:
    """Answer one command; returns the exit code."""
    if len(words) == len(["buckets", "verb", "url"]) and words[2].startswith("gs://"):
        bucket, _, name = words[2].removeprefix("gs://").partition("/")
        if list(words[:2]) == ["objects", "update"]:
            return _end(f"{bucket}/{name.rpartition('/')[0]}", options.get("--custom-metadata", ""))
        return _about_bucket(words[1], bucket, options)
    if list(words) == ["service-agent"] and "--authorize-cmek" in options:
        return 0  # whoever uses the simulated cloud may use its keys
    return _about_objects(words)


def _about_objects(words: Sequence[str]) -> int:
    """Answer `ls ADDRESS` or `cat ADDRESS`."""
    if len(words) != 2 or words[0] not in {"ls", "cat"} or not words[1].startswith("gs://"):  # noqa: PLR2004
        return _refuse(f"the simulated gcloud does not know: storage {' '.join(words)}")
    bucket, _, name = words[1].removeprefix("gs://").partition("/")
    store = KeptStore(Path(os.environ[CLOUD_VARIABLE]).parent / "storage")
    try:
        with store.session(changing=False):
            if words[0] == "cat":
                said = machine_runs.file_of(_cloud().read(), bucket, name)
                sys.stdout.write(store.find(bucket, name).data.decode() if said is None else said)
                return 0
            # With `**` in it, an address is a pattern; without, what begins so is listed.
            before, any_folder, after = name.partition("**/")
            listed = [one["name"] for one in store.listing(bucket, {"prefix": before})["items"]]
            found = [one for one in listed if not any_folder or f"/{one}".endswith(f"/{after}")]
    except Refusal as refusal:
        if words[0] == "cat" and bucket in {one.id for one in _cloud().read().of(BUCKET)}:
            return _refuse(f"gs://{bucket}/{name} not found: 404.")
        return _refuse(f"gs://{bucket} {refusal.message}")
    if not found:
        return _refuse("One or more URLs matched no objects.")
    sys.stdout.write("".join(f"gs://{bucket}/{one}\n" for one in found))
    return 0


def _cloud() -> Cloud:
    return Cloud(Path(os.environ[CLOUD_VARIABLE]))


def _about_bucket(verb: str, name: str, options: Mapping[str, str]) -> int:
    with _cloud().open() as contents:
        found = contents.get(BUCKET, name)
        if verb == "create" and found is not None:
            return _refuse(f"HTTPError 409: The bucket {name} already exists.")
        if verb == "create":
            made = assumed.bucket(name)
            made.state |= {
                "location": options.get("--location", "US").upper(),
                "project": options.get("--project"),
            }
            if key := options.get("--default-encryption-key"):
                made.state["encryption"] = [{"default_kms_key_name": key}]
            contents.add(made)
            return 0
        if found is None:
            return _refuse(f"gs://{name} not found: 404.")
        if verb == "describe":
            print(f"name: {name}\nlocation: {found.state.get('location')}")  # noqa: T201  (a command)
            return 0
        if verb == "update":
            found.state["versioning"] = [{"enabled": "--versioning" in options}]
            return 0
    return _refuse(f"the simulated gcloud does not know: storage buckets {verb}")


def _end(place: str, metadata: str) -> int:
    """Let the run whose results are in a place end as said."""
    outcome = metadata.removeprefix(_OUTCOME)
    if not metadata.startswith(_OUTCOME) or outcome not in runs.OUTCOMES:
        return _refuse(
            f"a simulated run ends as one of {', '.join(runs.OUTCOMES)}: --custom-metadata={_OUTCOME}..."
        )
    with _cloud().open() as contents:
        run = machine_runs.find(contents, place)
        if run is None:
            return _refuse(f"gs://{place} not found: 404.")
        if runs.ended(run.state(contents.rest.clock)):
            return _refuse(f"{run.name} has ended already")
        contents.leases.setdefault(machine_runs.OUTCOMES, {})[place] = outcome
    print(f"{run.name} is to end as {outcome}")  # noqa: T201  (a command)
    return 0


def _refuse(text: str) -> int:
    print(f"ERROR: (gcloud.storage) {text}", file=sys.stderr)  # noqa: T201  (a command)
    return 1
