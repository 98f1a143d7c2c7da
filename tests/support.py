"""What test files share that is no fixture: places, and stack files as data."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BLUEPRINTS = ROOT / "blueprints"
GOLDENS = ROOT / "tests" / "goldens"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def without_metadata(value: Any) -> Any:
    """Terraform JSON without the engine's notes to itself."""
    if isinstance(value, dict):
        return {key: without_metadata(each) for key, each in value.items() if key != "//"}
    return [without_metadata(each) for each in value] if isinstance(value, list) else value


def read_stack(file: Path) -> Any:
    """A stack file as data, without the engine's notes to itself."""
    return without_metadata(json.loads(file.read_text("utf-8")))


def cases() -> list[Path]:
    """Every blueprint that is synthesized, compared and run through Terraform."""
    return sorted([*BLUEPRINTS.glob("*.yaml"), *GOLDENS.glob("*.yaml")])
