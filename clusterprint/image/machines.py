"""Images of machines: what there is to build, and building them here, as an apply of Terraform does."""

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from clusterprint.errors import EnvironmentFailure
from clusterprint.nodes import deploy
from clusterprint.plan.vm_image import NodeImagePlan

Say = Callable[[str], None]


def render(plans: Iterable[NodeImagePlan]) -> str:
    """The built images and their builder, as JSON."""
    found = [
        {
            "image": each.name,
            "family": each.family,
            "project": each.project,
            "script": each.script,
            "environment": each.environment,
        }
        for each in plans
    ]
    return json.dumps(found, indent=2) + "\n"


def build(plan: NodeImagePlan, say: Say) -> None:
    """Build an image, unless it is there. Raises EnvironmentFailure; `say` is told what the script says."""
    with tempfile.TemporaryDirectory(prefix="clusterprint-image-") as folder:
        for name, text in {plan.script: deploy.script(plan.script), **plan.files}.items():
            (Path(folder) / name).write_text(text, "utf-8")
        try:
            process = subprocess.Popen(  # noqa: S603 - a script of ours
                ["bash", plan.script],  # noqa: S607 - whichever the user has
                cwd=folder,
                env={**os.environ, **plan.environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        except OSError as error:
            raise EnvironmentFailure(f"cannot run bash ({error.strerror})") from error
        with process:
            for line in process.stdout or ():
                say(line.rstrip("\n"))
    if process.returncode:
        raise EnvironmentFailure(f"the image {plan.name} was not built (see above)")
