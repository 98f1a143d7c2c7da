"""A blueprint of Cluster Toolkit, with its deployment file.

`expressions` resolves `$(vars.x)`; a `Module` is asked for its settings by the functions that know its kind
(`network`, `cluster`, `pools`, `machines`, `storage`, `management`); what none asked for is a loss.
"""

from clusterprint.importing.toolkit.translate import translate

__all__ = ["translate"]
