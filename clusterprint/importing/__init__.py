"""Conversion of other tools' files to blueprints. Every input is accounted for.

`formats` detects the tool; each format has a reader (a module or a folder), which takes what it understands
from a `Source` and puts it into a `Work`. Settings that no reader took are lost, and reported with their
lines, so a key without a reader cannot vanish. `write` makes the text, and `check` reports what `validate`
finds in it, at the lines of the input.
"""

from clusterprint.importing.findings import Finding
from clusterprint.importing.work import Translated

__all__ = ["Finding", "Translated"]
