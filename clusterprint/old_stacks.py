"""Folders of stacks that were made once and are not any more: a cluster was renamed or removed."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

from clusterprint.nodes import deploy

#: All that synth writes into the folder of a stack. Anything else is Terraform's, or somebody's.
_WRITTEN = frozenset(("cdk.tf.json", "files", *deploy.SCRIPTS))


class Leftover(NamedTuple):
    """A folder that was left over. It is `removed`, unless it holds `more` than synth wrote."""

    folder: Path
    more: tuple[str, ...]

    @property
    def removed(self) -> bool:
        """Whether it is gone."""
        return not self.more


def clear_leftovers(out: Path) -> list[Leftover]:
    """Remove the folders below `out` that the manifest does not name and that hold only what synth wrote.

    `out` is what `synthesize` has just written to. One with a state or with providers in it is kept: what it
    made may still be there.
    """
    made = {
        Path(each["workingDirectory"])
        for each in json.loads((out / "manifest.json").read_text("utf-8"))["stacks"].values()
    }
    found = []
    for folder in sorted((out / "stacks").iterdir()):
        is_stack = not folder.is_symlink() and (folder / "cdk.tf.json").is_file()
        if not is_stack or folder.relative_to(out) in made:
            continue
        more = tuple(sorted({each.name for each in folder.iterdir()} - _WRITTEN))
        if not more:
            shutil.rmtree(folder)
        found.append(Leftover(folder, more))
    return found
