"""The clock of a simulated cloud: `python -m clusterprint_simcloud.work.clock SECONDS` lets time pass."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud

#: Seconds that pass when a command enters the cloud.
STEP = 20
_BEGINNING = datetime(2025, 1, 1, 8, tzinfo=UTC)


def told(seconds: int) -> str:
    """A moment as Kubernetes writes it."""
    return f"{_BEGINNING + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%SZ}"


def main(arguments: Sequence[str]) -> int:
    """Let some seconds pass, and print what time it is then."""
    with Cloud(Path(os.environ[CLOUD_VARIABLE])).open() as contents:
        contents.rest.clock += int(arguments[0])
        print(told(contents.rest.clock))  # noqa: T201  (a command)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
