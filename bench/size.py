"""How large the house is: lines and files of what is shipped, beside what they may be."""

from pathlib import Path

from measuring import ROOT

#: Lines of Python in the package, and files of rules, at most.
MAX_LINES, MAX_RULES = 100_000, 500


def size() -> None:
    """Print lines of Python by room, the largest first, and the sums that have a limit."""
    package = ROOT / "clusterprint"
    lines = {room.name: sum(map(_lines, room.rglob("*.py"))) for room in package.iterdir() if room.is_dir()}
    for room, many in sorted(lines.items(), key=lambda item: -item[1]):
        if many:
            print(f"{many:8,} lines in {room}")
    whole = sum(map(_lines, package.rglob("*.py")))
    print(f"{whole:8,} lines in clusterprint/, at most {MAX_LINES:,}")
    rules = sum(1 for _ in (package / "rules").rglob("*.py"))
    print(f"{rules:8,} files of rules, at most {MAX_RULES:,}")
    for other in ("stacks", "simcloud/clusterprint_simcloud", "provisioner/clusterprint_provisioner"):
        print(f"{sum(map(_lines, (ROOT / other).rglob('*.py'))):8,} lines in {other}/")


def _lines(file: Path) -> int:
    return file.read_bytes().count(b"\n")
