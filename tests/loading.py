"""Helpers of tests of loading: a text is loaded, and its diagnostics."""

from pathlib import Path

from clusterprint.diagnostic import Span
from clusterprint.load import Loaded, load_text

HERE = Path()
CASES = sorted((Path(__file__).parent / "cases" / "load").glob("*.yaml"))


def text(source: str, name: str = "-") -> Loaded:
    return load_text(source.encode(), name, HERE)


def only(loaded: Loaded) -> tuple[str, Span | None, str, str]:
    """Code, place, message and help of the one diagnostic."""
    (found,) = loaded.diagnostics
    return found.code, found.place.span, found.message, found.help
