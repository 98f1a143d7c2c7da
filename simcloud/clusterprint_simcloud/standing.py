"""A world that stays in a folder: `python -m clusterprint_simcloud.standing FOLDER [STACK...]`.

It says in one line of JSON which environment leads into it (and what each stack has of its own, by its
folder), or what is wrong. Then it serves until nobody holds its standard input any more: whoever starts
Terraform in it hands that on, so that the world outlives a caller who is killed for as long as something
still runs in it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from clusterprint_simcloud.errors import SimulationError
from clusterprint_simcloud.work.clock import STEP
from clusterprint_simcloud.world import World


def main(arguments: Sequence[str]) -> int:
    """Serve the world in a folder; `arguments` are the folder and those of stacks that are to run in it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # they are the caller's; this ends when nobody needs it
    folder, *stacks = map(Path, arguments)
    try:
        with World(*sorted(_buckets(stacks)), folder=folder, keep=True, timeout=None) as world:
            world.assume(*stacks)
            with world.cloud.open() as contents:
                contents.rest.clock += STEP
                for stack in stacks:
                    contents.runs_in(str(stack))
            own = {str(stack): world.providers(stack) for stack in stacks}
            _say({"environment": _changed(world.environment), "stacks": own})
            sys.stdin.read()
    except (SimulationError, OSError) as error:
        _say({"error": str(error)})
        return 1
    return 0


def _buckets(stacks: Sequence[Path]) -> Iterator[str]:
    """The state buckets that stacks name: they are there, as if somebody had made them."""
    for stack in stacks:
        document = json.loads((stack / "cdk.tf.json").read_text("utf-8"))
        if backend := document["terraform"]["backend"].get("gcs"):
            yield backend["bucket"]


def _changed(environment: dict[str, str]) -> dict[str, str | None]:
    """The values that differ from the caller's; None for one that should not exist."""
    changes: dict[str, str | None] = dict.fromkeys(os.environ.keys() - environment.keys())
    return changes | {name: text for name, text in environment.items() if os.environ.get(name) != text}


def _say(document: object) -> None:
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
