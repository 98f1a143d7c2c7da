"""A gcloud for tests: plays one of several builds, and writes down how it was called.

`FAKE_GCLOUD` names the play, `FAKE_GCLOUD_CALLS` the file that calls go to, one JSON list a line.
"""

import json
import os
import sys
import tarfile
from pathlib import Path
from typing import Any

ID = "0f0e0d0c-1111-2222-3333-444455556666"
DIGEST = "sha256:" + "ab" * 32


def main(arguments: list[str]) -> int:
    with Path(os.environ["FAKE_GCLOUD_CALLS"]).open("a") as calls:
        calls.write(json.dumps(arguments) + "\n")
    play = os.environ["FAKE_GCLOUD"]
    if arguments[1] == "submit":
        return submit(play, arguments)
    return describe(play) if arguments[1] == "describe" else log()


def submit(play: str, arguments: list[str]) -> int:
    configuration = next(each[9:] for each in arguments if each.startswith("--config="))
    image = json.loads(Path(configuration).read_text())["images"][0]
    source = Path(arguments[2])
    Path(os.environ["FAKE_GCLOUD_CALLS"]).with_suffix(".source").write_text(
        json.dumps(unpacked(source) | {"cloudbuild.json": Path(configuration).read_text()})
    )
    if play == "refused":
        print("ERROR: (gcloud.builds.submit) PERMISSION_DENIED: no access to the pool", file=sys.stderr)
        return 1
    print(f"Created [https://cloudbuild.googleapis.com/v1/projects/p/builds/{ID}].", file=sys.stderr)
    if play == "failure":
        print(json.dumps(build("FAILURE", image)))
        return 1
    if play in ("failure-in-words", "lost"):
        print(f"ERROR: build {ID} completed with status FAILURE", file=sys.stderr)
        return 1
    made = build("WORKING" if play == "disconnected" else "SUCCESS", image)
    if play == "no-digest":
        made["results"] = {}
    if play == "another-image":
        made["results"]["images"][0]["name"] = "elsewhere:1"
    if play == "odd-digest":
        made["results"]["images"][0]["digest"] = "latest"
    print("not JSON" if play == "garbled" else json.dumps(made))
    return 0


def unpacked(source: Path) -> dict[str, str]:
    """The files of an archive, by their paths."""
    with tarfile.open(source) as archive:
        files = ((each.name, archive.extractfile(each)) for each in archive if each.isfile())
        return {name: file.read().decode("utf-8", "replace") for name, file in files if file}


def describe(play: str) -> int:
    if play in ("lost", "garbled"):
        print("ERROR: not found", file=sys.stderr)
        return 1
    print(json.dumps(build("SUCCESS" if play == "disconnected" else "FAILURE", os.environ["FAKE_IMAGE"])))
    return 0


def log() -> int:
    print("Step #0: E: Unable to locate package libnl-3-2000")
    return 0


def build(status: str, image: str) -> dict[str, Any]:
    made: dict[str, Any] = {"id": ID, "status": status}
    if status == "SUCCESS":
        made["results"] = {"images": [{"name": image, "digest": DIGEST}]}
    if status == "FAILURE":
        made["failureInfo"] = {"type": "USER_BUILD_STEP", "detail": "step 0 exited with 100"}
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
