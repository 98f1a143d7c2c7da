"""Source "synthesized diff", from the command's options to what is gathered."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from clusterprint.review.assemble import Gathered
from clusterprint.review.compare_sides import scenes
from clusterprint.review.model import Source
from clusterprint.review.side import Side, opened


def compare_sides(base: str, head: str | None, paths: Sequence[Path]) -> Gathered:
    """Compare two versions of the blueprints among the paths."""
    with opened(base, paths) as before, opened(head, paths) as after:
        return Gathered(
            sources=(Source(sort="synthesized", base=before.label, head=after.label),),
            scenes=tuple(scenes(before, after)),
            base_diagnostics=before.diagnostics,
            head_diagnostics=after.diagnostics,
            commands=(_command(base, head, paths),),
            notes=tuple(_notes(before, after)),
            crashed=after.crashed,
        )


def _command(base: str, head: str | None, paths: Sequence[Path]) -> str:
    words = ["clusterprint", "review", "--base", base]
    words += ["--head", head] if head else []
    return shlex.join([*words, *(path.as_posix() for path in paths)])


def _notes(before: Side, after: Side) -> Sequence[str]:
    notes = []
    for side in (before, after):
        if not side.members and not side.unreadable:
            notes.append(f"There are no blueprints at {side.label}.")
        notes += [f"{file} cannot be read at {side.label}: see the diagnostics." for file in side.unreadable]
    return notes
