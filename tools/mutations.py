"""Changes of the code, and how one is put into a file and into what is loaded of it."""

import ast
import gc
import itertools
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

# How much later than the file a change of it was made; no two are of the same second.
_SECONDS = itertools.count(1)


class Change(NamedTuple):
    """A text in place of an expression of a file: where it stands, in bytes, and its lines."""

    file: str
    lines: range
    start: int
    end: int
    after: str


def code_of(file: Path) -> str:
    """The code of the rule that is in a file, as names of its cases have it, or an empty text."""
    _, found, rest = file.read_text("utf-8").partition('@rule(\n    "')
    if not found:
        _, found, rest = file.read_text("utf-8").partition('@rule("')
    return f"/{rest.partition(chr(34))[0]}/" if found else ""


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """Functions of a module and methods of its classes."""
    for each in body:
        if isinstance(each, ast.FunctionDef):
            yield each
        elif isinstance(each, ast.ClassDef):
            yield from functions(each.body)


def enclosing(file: Path, change: Change) -> bool:
    """Whether a change is within the body of a function."""
    first, last = change.lines[0], change.lines[-1]
    tree = ast.parse(file.read_bytes())
    return any(
        each.body[0].lineno <= first and last <= (each.end_lineno or 0) for each in functions(tree.body)
    )


@contextmanager
def changed(file: Path, change: Change) -> Iterator[None]:
    """The change in the file, for as long as this lasts.

    Each has a time of its own: byte code of a text of the same length and second would be taken for its own.
    """
    whole, before = file.read_bytes(), file.stat()
    file.write_bytes(whole[: change.start] + change.after.encode() + whole[change.end :])
    os.utime(file, (before.st_atime, before.st_mtime + next(_SECONDS)))
    try:
        yield
    finally:
        file.write_bytes(whole)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def put(file: Path, change: Change) -> bool:
    """Let the function that is loaded be that of the changed file; false where that cannot be done."""
    if file.suffix != ".py":
        return False  # Its text may have been read already, and is kept.
    if not any(getattr(each, "__file__", None) == str(file) for each in list(sys.modules.values())):
        return True  # It will be loaded as it is now.
    source = file.read_bytes()
    tree = ast.parse(source)
    around = [
        each
        for each in functions(tree.body)
        if each.body[0].lineno <= change.lines[0] <= (each.end_lineno or 0)
    ]
    if not around:
        return False
    first = min([around[0].lineno, *(line.lineno for line in around[0].decorator_list)])
    (new,) = [
        each
        for each in codes(compile(source, str(file), "exec"))
        if each.co_firstlineno == first and each.co_name == around[0].name
    ]
    loaded = [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType)
        and each.__code__.co_filename == new.co_filename
        and (each.__code__.co_firstlineno, each.__code__.co_qualname) == (first, new.co_qualname)
    ]
    try:
        for each in loaded:
            each.__code__ = new
    except ValueError:  # It takes other names from around than the one that is loaded.
        return False
    return bool(loaded)


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of all functions and classes in some code."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from codes(each)
