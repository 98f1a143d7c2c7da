"""A blueprint of Cluster Toolkit, with its deployment file.

`expressions` resolves `$(vars.x)`. A `Module` and the `Part`s of its settings are asked by the functions that
know its kind (`network`, `cluster`, `pools`, `machines`, `slurm`, `storage`, `management`). All else is lost.
"""

from clusterprint.importing.toolkit.translate import translate

__all__ = ["translate"]
