"""`gcloud builds submit` of a source archive, and `gcloud artifacts` about the scan of an image.

What a build needs in the cloud has to be there. Nothing is built: the digest of an image follows from what it
would be made from.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tarfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Contents

_REPOSITORY = "google_artifact_registry_repository"
_WRITERS = (
    "roles/artifactregistry.writer",
    "roles/artifactregistry.repoAdmin",
    "roles/artifactregistry.admin",
)


def answer(words: Sequence[str], options: Mapping[str, str]) -> int:
    """Answer `submit SOURCE`; returns the exit code."""
    if len(words) != 2 or words[0] != "submit":  # noqa: PLR2004
        return _refuse(f"the simulated gcloud does not know: builds {' '.join(words)}")
    source, configuration = Path(words[1]), Path(options["--config"])
    build = json.loads(configuration.read_text("utf-8"))
    wanting = next(_wanting(Cloud(Path(os.environ[CLOUD_VARIABLE])).read(), build), "")
    if wanting:
        return _refuse(wanting)
    # Without the time in the archive's head, or the account's: what is made is the same.
    content = hashlib.sha256(source.read_bytes() + json.dumps(build["steps"]).encode()).hexdigest()
    number = uuid.UUID(content[:32])
    place = f"projects/{options.get('--project')}/locations/{options.get('--region')}/builds/{number}"
    print(f"Created [https://cloudbuild.googleapis.com/v1/{place}].", file=sys.stderr)  # noqa: T201  (a command)
    failed = _failure(source)
    result: dict[str, Any] = {
        "id": str(number),
        "status": "FAILURE" if failed else "SUCCESS",
        **({"statusDetail": failed} if failed else {}),
        "results": {
            "images": []
            if failed
            else [{"name": each, "digest": f"sha256:{content}"} for each in build["images"]]
        },
    }
    print(json.dumps(result))  # noqa: T201  (a command)
    return 1 if failed else 0


def about_images(words: Sequence[str], options: Mapping[str, str]) -> int:
    """Answer `docker images describe IMAGE` and `sbom export`; returns the exit code."""
    describing = words[:3] == ["docker", "images", "describe"] and len(words) == 4  # noqa: PLR2004
    if not describing and list(words) != ["sbom", "export"]:
        return _refuse(f"the simulated gcloud does not know: artifacts {' '.join(words)}")
    repository = _repository(words[3] if describing else options["--uri"])
    found = Cloud(Path(os.environ[CLOUD_VARIABLE])).get(_REPOSITORY, repository)
    if found is None:
        return _refuse(f"NOT_FOUND: Repository {repository} was not found")
    scans = found.state.get("vulnerability_scanning_config") or [{}]
    if scans[0].get("enablement_config") != "INHERITED":
        return _refuse(f"images in {repository} are not scanned")
    done = {"discovery": {"analysisStatus": "FINISHED_SUCCESS"}}
    if describing:
        print(json.dumps({"discovery_summary": {"discovery": [done]}}))  # noqa: T201  (a command)
    return 0


def _wanting(contents: Contents, build: Mapping[str, Any]) -> Iterator[str]:
    """The API's message for a build whose account, machines or repository are missing or forbidden."""
    account = str(build["serviceAccount"])
    if contents.get("google_service_account", account) is None:
        yield f"NOT_FOUND: service account {account} was not found"
    pool = build["options"].get("pool", {}).get("name", "")
    if pool and contents.get("google_cloudbuild_worker_pool", pool) is None:
        yield f"NOT_FOUND: worker pool {pool} was not found"
    for image in build["images"]:
        repository = _repository(image)
        if contents.get(_REPOSITORY, repository) is None:
            yield f"NOT_FOUND: Repository {repository} was not found"
        elif not _may_write(contents, repository, account.rpartition("/")[2]):
            yield (
                "PERMISSION_DENIED: Permission 'artifactregistry.repositories.uploadArtifacts' denied on "
                f"resource '{repository}'"
            )


def _repository(image: str) -> str:
    """The repository that an image lies in: `REGION-docker.pkg.dev/PROJECT/REPOSITORY/IMAGE:TAG`."""
    host, project, repository = image.split("/")[:3]
    return f"projects/{project}/locations/{host.removesuffix('-docker.pkg.dev')}/repositories/{repository}"


def _may_write(contents: Contents, repository: str, account: str) -> bool:
    name = repository.rpartition("/")[2]
    return any(
        each.state["repository"].rpartition("/")[2] == name
        and each.state["role"] in _WRITERS
        and each.state["member"] == f"serviceAccount:{account}"
        for each in contents.of(f"{_REPOSITORY}_iam_member")
    )


def _failure(source: Path) -> str:
    """Why Docker would make nothing of a source; empty if it may."""
    with tarfile.open(source) as archive:
        return "" if "Dockerfile" in archive.getnames() else "unable to prepare context: no Dockerfile"


def _refuse(text: str) -> int:
    print(f"ERROR: (gcloud) {text}", file=sys.stderr)  # noqa: T201  (a command)
    return 1
