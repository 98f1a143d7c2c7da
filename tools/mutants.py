"""Break the code in small ways, and see whether a test notices.

    tools/mutants.py [--count 60] [--seed 202647] [--minutes 90] [--below clusterprint/rules]

Takes a sample of all the small changes that could be made to the rooms that decide (FOLDERS): loading,
validation and rules, plans and stacks, scripts of nodes, reviews, importers, what creates, destroys and
reaches clusters, and the slice provisioner. The sample is that of the week, so that a failure of the night
can be repeated in the morning. Each change is made in a copy of this repository, and the quick tests that run
the changed line run there, nearest first (mutant_tests.py). A change that no test notices is a survivor, and
is printed. Those in tests/survivors.txt are known, each with its reason. It ends with 1 when fewer than FLOOR
of the others were noticed, and with 2 when the tests fail without any change.

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

import pytest
from mutant_tests import Noticing, Verdict
from mutations import Change

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    *(
        f"clusterprint/{room}"
        for room in (
            *("load", "validate", "rules", "derived", "resolve", "nodes", "overview", "choose", "editor"),
            *("masking", "importing", "review", "lifecycle", "status", "access"),
        )
    ),
    *("stacks", "provisioner/clusterprint_provisioner"),
)
KNOWN = ROOT / "tests" / "survivors.txt"
# Of what is not known to be harmless. About nine of ten are noticed; a sample of 60 swings by a few.
FLOOR = 0.8
# Loads a program in Go, whose threads no fork survives; it is about a chart, which is no Python.
WITHOUT = "tests/unit/test_objects_chart.py"
WIDE = (
    *("tests/unit", "tests/review", "tests/nodes", "tests/test_goldens.py", "tests/test_fields.py"),
    *("tests/test_cases.py", "tests/test_rules.py", "tests/test_generated.py", "tests/test_editor.py"),
    *(f"tests/{each.name}" for each in sorted((ROOT / "tests").glob("test_import*.py"))),
    *(f"tests/{each.name}" for each in sorted((ROOT / "tests").glob("test_masking*.py"))),
    *("tests/test_overview.py", "tests/test_lint.py", "tests/test_references.py", "tests/test_variants.py"),
    "provisioner/tests",
)

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil"}
# Of shell: conditions and comparisons, and `!` with what it negates.
WORDS = {
    "-lt": "-le", "-le": "-lt", "-gt": "-ge", "-ge": "-gt", "-eq": "-ne", "-ne": "-eq",
    "-z": "-n", "-n": "-z", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "&&": "||", "||": "&&", "!": "",
}  # fmt: skip
_WORD = re.compile(
    rf"(?:(?<=\s)|(?<=\(\())(?:{'|'.join(map(re.escape, sorted(WORDS, key=len)[::-1]))})(?=\s)"
)
# Whose words mean something else elsewhere: the end of a redirection, an option of a command.
_IN_NUMBERS, _IN_BRACKETS = ("<", "<=", ">", ">="), ("-z", "-n")


class Mutant(NamedTuple):
    """A change of one expression, what it was, and the line that it begins in, without a comment."""

    change: Change
    before: str
    line: str

    def __str__(self) -> str:
        return f"{self.change.file}: {self.before} -> {self.change.after}, in {self.line}"


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
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
            yield ast.BinOp(left, ast.Sub() if isinstance(operator, ast.Add) else ast.Add(), right)
        case ast.Call(ast.Name(name), arguments, keywords) if name in SWAPPED:
            yield ast.Call(ast.Name(SWAPPED[name]), arguments, keywords)
        case ast.Call(ast.Attribute(ast.Name("math") as module, name), arguments, keywords) if (
            name in SWAPPED
        ):
            yield ast.Call(ast.Attribute(module, SWAPPED[name]), arguments, keywords)


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
    for statement, node in expressions(tree):
        if id(node) in annotations or node.end_lineno is None:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + (node.end_col_offset or 0)
        if not stands_there(node, source.encode()[start:end]):
            continue
        # Decorators come before the function that they are of.
        lines = range(min(statement.lineno, node.lineno), node.end_lineno + 1)
        for each in changed(node):
            after = f"({ast.unparse(each)})"
            begins = source.splitlines()[node.lineno - 1].partition("  # ")[0].strip()
            yield Mutant(Change(named, lines, start, end, after), ast.unparse(node), begins)


def is_script(file: Path) -> bool:
    """Whether a file is a script of a shell, or what scripts source."""
    return file.is_file() and file.read_bytes().startswith(
        (b"#!/bin/bash", b"#!/bin/sh", b"# shellcheck shell=")
    )


def mutants_of_script(file: Path) -> Iterator[Mutant]:
    """All wrong forms of the conditions and comparisons of a script."""
    named, start = str(file.relative_to(ROOT)), 0
    for number, line in enumerate(file.read_text("utf-8").splitlines(keepends=True), 1):
        for found in () if line.lstrip().startswith("#") else _WORD.finditer(line):
            word, before = found[0], line[: found.start()]
            in_numbers = before.rfind("((") > before.rfind("))")
            in_brackets = before.rfind("[[") > before.rfind("]]")
            if (word in _IN_NUMBERS and not in_numbers) or (word in _IN_BRACKETS and not in_brackets):
                continue
            at = start + len(before.encode())
            change = Change(named, range(number, number + 1), at, at + len(word), WORDS[word])
            yield Mutant(change, word, line.strip())
        start += len(line.encode())


def expressions(tree: ast.AST, around: ast.stmt | None = None) -> Iterator[tuple[ast.stmt, ast.expr]]:
    """All expressions, each with the statement that it is in."""
    for each in ast.iter_child_nodes(tree):
        inner = each if isinstance(each, ast.stmt) else around
        if isinstance(each, ast.expr) and inner:
            yield inner, each
        yield from expressions(each, inner)


def stands_there(node: ast.expr, text: bytes) -> bool:
    """Whether an expression is where its place says: those within texts are not, before Python 3.12."""
    try:
        return ast.dump(ast.parse(b"(" + text + b")", mode="eval").body) == ast.dump(node)
    except SyntaxError:
        return False


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


def is_enough(noticed: int, unknown: int) -> bool:
    """Whether the tests see what they should: so many changes were noticed, so many others were not."""
    return noticed > 0 and noticed >= FLOOR * (noticed + unknown)


def judge(sample: list[Mutant], ends: float) -> tuple[list[Mutant], int, list[str]]:
    """Those that no test notices, how many were tried, and tests that fail without any change."""
    survivors: list[Mutant] = []
    done = 0

    def tell(index: int, verdict: Verdict) -> None:
        nonlocal done
        done += 1
        mutant = sample[index]
        word = "noticed " if verdict.noticed else "SURVIVED"
        print(
            f"{word} {verdict.tests:5} tests, line {mutant.change.lines[-1]} {mutant}", file=said, flush=True
        )
        if not verdict.noticed:
            survivors.append(mutant)

    with tempfile.TemporaryDirectory() as scratch, os.fdopen(os.dup(1), "w") as said:
        copy = Path(scratch).resolve() / "copy"
        lay(copy)
        os.chdir(copy)
        alone = (copy / "provisioner", copy / "simcloud")
        for each in (*alone, copy):
            sys.path.insert(0, str(each))
        os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (copy, *alone)))
        # What pytest prints is about its tests; what is asked here is about the code.
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        plugin = Noticing(copy, FOLDERS, [each.change for each in sample], tell, ends)
        pytest.main([*WIDE, f"--ignore={WITHOUT}", f"--basetemp={scratch}/tests"], [plugin])
        os.dup2(said.fileno(), 1)
    if plugin.broken:
        raise plugin.broken
    return survivors, done, plugin.failed


def main() -> int:
    """Print each survivor, and how many were noticed; 1 if those are too few."""
    week = datetime.now(UTC).isocalendar()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=week.year * 100 + week.week)
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--below", default="", help="only in files whose path begins so")
    options = parser.parse_args()
    ends = time.monotonic() + options.minutes * 60
    files = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    scripts = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if is_script(file))
    found = [*(mutants(file) for file in files), *(mutants_of_script(file) for file in scripts)]
    there = [each for some in found for each in some if each.change.file.startswith(options.below)]
    sample = random.Random(options.seed).sample(there, min(options.count, len(there)))  # noqa: S311 - no secret
    print(f"{len(sample)} of {len(there)} changes, seed {options.seed}", flush=True)
    survivors, done, failed = judge(sample, ends)
    if failed:
        print("these tests fail without any change:", *failed, sep="\n")
        return 2
    if done < len(sample):
        print(f"stopped after {options.minutes:g} minutes")
    harmless = known()
    unknown = [each for each in survivors if str(each) not in harmless]
    print(f"{done - len(survivors)} of {done} were noticed; {len(unknown)} survivors are not known")
    return int(not is_enough(done - len(survivors), len(unknown)))


if __name__ == "__main__":
    sys.exit(main())
