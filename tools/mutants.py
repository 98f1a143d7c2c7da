"""Break the code in small ways, and see whether a test notices.

    tools/mutants.py [--count 60] [--seed 202647] [--minutes 90]

Takes a sample of all the small changes that could be made to what decides: rules, derived facts, resolve,
nodes. The sample is that of the week, so that a failure of the night can be repeated in the morning. Each
change is made in a copy of this repository, and the quick tests that could see it run there, the nearest
first. A change that no test notices is a survivor. Those in tests/survivors.txt are known, each with its
reason; another one ends this with 1. It ends with 2 when the tests fail without any change.

A small program of our own: the tools for this run one command for each change (minutes each, with our
tests), or load the code in their own way, which the lazy bindings and the forked engine do not stand.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("clusterprint/rules", "clusterprint/derived", "clusterprint/resolve", "clusterprint/nodes")
KNOWN = ROOT / "tests" / "survivors.txt"
QUICK = ("-x", "-q", "--no-header", "-m", "not slow and not terraform")
NO_TESTS = 5
WIDE = ("tests/unit", "tests/test_goldens.py", "tests/test_fields.py", "tests/nodes", "tests/test_cases.py")
# Slow for people who wait, and the only one to notice some changes.
FIELDS = ("tests/test_fields.py", "-m", "not terraform")

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil"}


class Mutant(NamedTuple):
    """A change of one expression: where it stands, in characters of the file, and both texts."""

    file: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}: {self.before} -> {self.after}"


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """The wrong forms of an expression."""
    match node:
        case ast.Compare(left, [operator], [right]):
            yield ast.Compare(left, [COMPARISONS[type(operator)]()], [right])
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            yield values[0]
            yield values[-1]
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
        case ast.BinOp(left, ast.Add(), right):
            yield ast.BinOp(left, ast.Sub(), right)
        case ast.BinOp(left, ast.Sub(), right):
            yield ast.BinOp(left, ast.Add(), right)
        case ast.Call(ast.Name(name), arguments, keywords) if name in SWAPPED:
            yield ast.Call(ast.Name(SWAPPED[name]), arguments, keywords)


def mutants(file: Path) -> Iterator[Mutant]:
    """All wrong forms of the expressions of a file."""
    source = file.read_text("utf-8")
    tree = ast.parse(source)
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    named = str(file.relative_to(ROOT))
    annotations = {
        id(below)
        for node in ast.walk(tree)
        for above in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if above is not None
        for below in ast.walk(above)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or id(node) in annotations or node.end_lineno is None:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + (node.end_col_offset or 0)
        for each in changed(node):
            after = f"({ast.unparse(each)})"
            yield Mutant(named, node.lineno, start, end, ast.unparse(node), after)


def nearest(mutant: Mutant) -> Iterator[list[str]]:
    """Tests that could notice, those first that are likely to, and are few."""
    code = re.search(r'@rule\(\s*"([A-Z]+[0-9]+)"', (ROOT / mutant.file).read_text("utf-8"))
    if code:
        yield ["tests/test_cases.py", "-k", code[1]]
    if mutant.file.startswith("clusterprint/resolve"):
        yield ["tests/test_goldens.py"]
    yield list(WIDE)
    yield list(FIELDS)


def passes(copy: Path, tests: list[str]) -> bool:
    """Whether these tests pass in the copy."""
    environment = {**os.environ, "PYTHONPATH": f"{copy}:{copy / 'simcloud'}"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *QUICK, *tests],
        cwd=copy, env=environment, capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode in (0, NO_TESTS)


def survives(mutant: Mutant, copy: Path) -> bool:
    """Whether all tests pass with the change in the copy."""
    file = copy / mutant.file
    whole = file.read_bytes()
    file.write_bytes(whole[: mutant.start] + mutant.after.encode() + whole[mutant.end :])
    try:
        return all(passes(copy, tests) for tests in nearest(mutant))
    finally:
        file.write_bytes(whole)


def lay(copy: Path) -> None:
    """Copy what git knows of, as it is now."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, copy / name
        if source.is_symlink() or source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target, follow_symlinks=False)


def known() -> set[str]:
    """Survivors that were looked at, without their reasons."""
    lines = KNOWN.read_text("utf-8").splitlines() if KNOWN.exists() else []
    return {line.partition("  # ")[0].strip() for line in lines if line and not line.startswith("#")}


def main() -> int:
    """Print each survivor, and the rate; 1 if there is one that is not known."""
    week = datetime.now(UTC).isocalendar()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=week.year * 100 + week.week)
    parser.add_argument("--minutes", type=float, default=90)
    options = parser.parse_args()
    ends = time.monotonic() + options.minutes * 60
    files = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    there = [mutant for file in files for mutant in mutants(file)]
    sample = random.Random(options.seed).sample(there, min(options.count, len(there)))  # noqa: S311 - no secret
    print(f"{len(sample)} of {len(there)} changes, seed {options.seed}", flush=True)
    survivors, done = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch)
        lay(copy)
        if not passes(copy, list(WIDE)):
            print("the tests fail without any change")
            return 2
        for mutant in sample:
            if time.monotonic() > ends:
                print(f"stopped after {options.minutes:g} minutes")
                break
            lives = survives(mutant, copy)
            done += 1
            print(f"{'SURVIVED' if lives else 'noticed '} line {mutant.line} {mutant}", flush=True)
            survivors += [str(mutant)] if lives else []
    unknown = [each for each in survivors if each not in known()]
    print(f"{done - len(survivors)} of {done} were noticed; {len(unknown)} survivors are not known")
    return 1 if unknown or not done else 0


if __name__ == "__main__":
    sys.exit(main())
