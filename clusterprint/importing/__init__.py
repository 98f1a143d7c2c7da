"""What describes a cluster to another tool becomes a blueprint.

`formats` says whose a file is; each format has a reader (a module or a folder), which puts what it
understands into a `Work` and says of everything else, at its line, that it has no counterpart; `write` makes
a text of it, and `check` says what `validate` thinks of that, at the lines that it is from.
"""

from clusterprint.importing.findings import Finding
from clusterprint.importing.work import Translated

__all__ = ["Finding", "Translated"]
