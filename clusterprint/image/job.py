"""The build in Cloud Build's words: its configuration, its source, the command that submits it."""

import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

from clusterprint.errors import EnvironmentFailure
from clusterprint.files import checked as checked_files
from clusterprint.plan.builds import ContextFilePlan, ImagePlan

CONFIGURATION = "cloudbuild.json"
SOURCE = "source.tgz"

_DOCKER = "gcr.io/cloud-builders/docker"
# BuildKit knows no network but its own, and credentials of the build are found in that of Cloud Build.
_CLASSIC = "DOCKER_BUILDKIT=0"


def configuration(plan: ImagePlan) -> dict[str, Any]:
    """The content of cloudbuild.json: the step that builds, which the build account runs."""
    names = [plan.name, *([plan.cache] if plan.cache else [])]
    return {
        "steps": _steps(plan, names),
        "images": names,
        "serviceAccount": plan.service_account,
        "timeout": f"{plan.timeout_seconds}s",
        "options": {
            # A build with an account of its own must say where its log goes; this place needs no bucket.
            "logging": "CLOUD_LOGGING_ONLY",
            **_machines(plan),
            **({"requestedVerifyOption": "VERIFIED"} if plan.attested else {}),
        },
    }


def _steps(plan: ImagePlan, names: list[str]) -> list[dict[str, Any]]:
    arguments = [f"--build-arg={key}={value}" for key, value in sorted(plan.arguments.items())]
    tags = [f"--tag={each}" for each in names]
    layers = [f"--cache-from={plan.cache}"] if plan.cache else []
    build = ["build", "--network=cloudbuild", *arguments, *layers, *tags, "."]
    # Before the first build there is nothing to begin with.
    pull = {"name": _DOCKER, "args": ["pull", "--quiet", plan.cache], "allowFailure": True}
    # Cloud Build reads $ as the start of a substitution.
    made = {"name": _DOCKER, "env": [_CLASSIC], "args": [_literal(each) for each in build]}
    return [*([pull] if plan.cache else []), made]


def _machines(plan: ImagePlan) -> dict[str, Any]:
    """Where it runs: machines of a pool are what the pool says."""
    if plan.worker_pool:
        return {"pool": {"name": plan.worker_pool}}
    kind = {"machineType": plan.machine_type.replace("-", "_").upper()} if plan.machine_type else {}
    return {**kind, **({"diskSizeGb": str(plan.disk_size_gb)} if plan.disk_size_gb else {})}


def _literal(text: str) -> str:
    return text.replace("$", "$$")


def render(plan: ImagePlan) -> str:
    """The configuration as text."""
    return json.dumps(configuration(plan), indent=2) + "\n"


def lay(plan: ImagePlan, folder: Path, target: Path) -> None:
    """Write what the build needs into an empty folder; files of the user's are below `folder`.

    An archive, so that nothing is left out which a `.gitignore` in it names. The same files make the same
    bytes. Raises EnvironmentFailure for a file that is not what it was.
    """
    (target / CONFIGURATION).write_text(render(plan), "utf-8")
    contents = {each.name: (_content(each, folder), each.executable) for each in plan.context}
    contents |= {name: (text.encode(), False) for name, text in plan.files.items()}
    with (
        (target / SOURCE).open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, (content, executable) in sorted(contents.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755 if executable else 0o644
            archive.addfile(entry, io.BytesIO(content))


def _content(file: ContextFilePlan, folder: Path) -> bytes:
    content = checked_files.content_of(folder / file.source, folder)
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise EnvironmentFailure(f"{folder / file.source} changed while it was used: run the command again")
    return content


def command(plan: ImagePlan, folder: Path) -> list[str]:
    """The command that submits the build of a folder, waits for it, and prints it as JSON."""
    return [
        "gcloud",
        "builds",
        "submit",
        str(folder / SOURCE),
        f"--config={folder / CONFIGURATION}",
        f"--project={plan.project}",
        f"--region={plan.region}",
        f"--gcs-source-staging-dir={plan.staging}",
        "--suppress-logs",
        "--quiet",
        "--format=json",
    ]
