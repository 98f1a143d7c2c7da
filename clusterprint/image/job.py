"""The build in Cloud Build's words: its configuration, its source folder, the command that submits it."""

import json
from pathlib import Path
from typing import Any

from clusterprint.plan.builds import ImagePlan

CONFIGURATION = "cloudbuild.json"


def configuration(plan: ImagePlan) -> dict[str, Any]:
    """What goes into cloudbuild.json: one step, which the build account runs."""
    arguments = [f"--build-arg={key}={value}" for key, value in sorted(plan.arguments.items())]
    build = ["build", "--network=cloudbuild", *arguments, f"--tag={plan.name}", "."]
    return {
        # Cloud Build reads $ as the start of a substitution.
        "steps": [{"name": "gcr.io/cloud-builders/docker", "args": [_literal(each) for each in build]}],
        "images": [plan.name],
        "serviceAccount": plan.service_account,
        "timeout": f"{plan.timeout_seconds}s",
        "options": {
            # A build with an account of its own must say where its log goes; this place needs no bucket.
            "logging": "CLOUD_LOGGING_ONLY",
            **({"pool": {"name": plan.worker_pool}} if plan.worker_pool else {}),
            **({"requestedVerifyOption": "VERIFIED"} if plan.attested else {}),
        },
    }


def _literal(text: str) -> str:
    return text.replace("$", "$$")


def render(plan: ImagePlan) -> str:
    """The configuration as text."""
    return json.dumps(configuration(plan), indent=2) + "\n"


def lay(plan: ImagePlan, folder: Path) -> None:
    """Write what the build needs into an empty folder."""
    (folder / CONFIGURATION).write_text(render(plan), "utf-8")
    for path, content in plan.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, "utf-8")


def command(plan: ImagePlan, folder: Path) -> list[str]:
    """The command that submits the build of a folder, waits for it, and prints it as JSON."""
    return [
        "gcloud",
        "builds",
        "submit",
        str(folder),
        f"--config={folder / CONFIGURATION}",
        f"--project={plan.project}",
        f"--region={plan.region}",
        f"--gcs-source-staging-dir={plan.staging}",
        "--suppress-logs",
        "--quiet",
        "--format=json",
    ]
