"""The inputs of imports, and where something stands in them."""

from support import ROOT

INPUTS = ROOT / "tests" / "data" / "importing"


def line_of(name: str, text: str) -> int:
    lines = (INPUTS / name).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)
