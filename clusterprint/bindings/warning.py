"""Telling the user, in one line, that something goes another way than planned."""

import sys


def warn(text: str) -> None:
    """Writes one line on stderr, whatever the text holds."""
    sys.stderr.write(f"clusterprint: warning: {' '.join(text.split())}\n")
