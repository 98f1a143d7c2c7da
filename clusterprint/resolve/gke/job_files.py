"""The files of a job, as keys of a ConfigMap."""

import base64
import re
from pathlib import Path

from clusterprint.blueprint.content import JobFile
from clusterprint.files.checked import content_of
from clusterprint.files.tree import landing
from clusterprint.plan.gke.jobs import JobFilesPlan

_NOT_IN_KEYS = re.compile(r"[^-._a-zA-Z0-9]")


def resolve_files(files: tuple[JobFile, ...], folder: Path) -> JobFilesPlan | None:
    """All files, those of folders too, in the order of where they land."""
    found = {
        destination: source
        for copy in files
        for destination, source in landing(folder / copy.source, copy.destination, folder)
    }
    if not found:
        return None
    plan = JobFilesPlan(config_map="", texts={}, binaries={}, destinations={})
    for destination in sorted(found):
        key = _key(destination, plan.destinations)
        content = content_of(found[destination], folder)
        try:
            plan.texts[key] = content.decode()
        except UnicodeDecodeError:
            plan.binaries[key] = base64.b64encode(content).decode("ascii")
        plan.destinations[key] = destination
    return plan


def _key(destination: str, taken: dict[str, str]) -> str:
    """The file's name, or with more of its path where another file is called the same."""
    parts = destination.strip("/").split("/")
    for length in range(1, len(parts) + 1):
        key = _NOT_IN_KEYS.sub("_", ".".join(parts[-length:]))
        if key not in taken:
            return key
    return f"{key}.{len(taken)}"
