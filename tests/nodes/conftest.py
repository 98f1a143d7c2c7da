"""What the tests of scripts share."""

import itertools
import os
import shutil
from pathlib import Path

import msgspec
import pytest
from nodes.machine import Machine, MakeMachine
from nodes.settings import SETTINGS

NEEDED = ("bash", "jq", "flock", "ssh-keygen", "timeout")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Scripts start many processes: a second here and there, which `make quick` does without."""
    for item in items:
        if "machine" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def machine(tmp_path: Path) -> MakeMachine:
    """Stand up a machine: `machine("node", gpu_vendor="amd")`."""
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing:
        message = f"the scripts of machines need {', '.join(missing)}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    numbers = itertools.count()

    def make(role: str = "node", **changes: object) -> Machine:
        return Machine(
            tmp_path / f"machine-{next(numbers)}", role, msgspec.structs.replace(SETTINGS, **changes)
        )

    return make
