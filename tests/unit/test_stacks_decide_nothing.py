"""Stacks decide nothing: no script stands in them, and no number, path or amount of their own choice.

What resolves decides, but puts no script together either: those are files, which shellcheck reads.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from every import every

import clusterprint.resolve
import stacks

STACKS = Path(stacks.__file__).parent
MODULES = sorted(STACKS.rglob("*.py"))
RESOLVE = Path(clusterprint.resolve.__file__).parent
RESOLVERS = sorted(RESOLVE.rglob("*.py"))

# No decisions, each for its reason. Whatever is one belongs into the plan.
ALLOWED: dict[str, dict[object, str]] = {
    "azure/network.py": {"22": "the port of SSH"},
    "gke/existing.py": {1_000_000_000: "what a patch counts, more than any build"},
    "google/network.py": {"22": "the port of SSH"},
    "gke/tpu_webhook.py": {"request.operation == 'CREATE' ||": "how conditions of a webhook say or"},
    "google/upload.py": {" || ": "how conditions of IAM say or"},
    "kubernetes/values.py": {2: "the indentation of JSON"},
    "google/registry.py": {86400: "the seconds of a day"},
    "vmss/balancer.py": {22: "the port of SSH"},
}

# What looks like a script where things are resolved, and is none.
NO_SCRIPTS = {"vm_outputs.py": {":$(": "a command for people, who ask in it who the head is"}}

# An absolute path, an amount with or without a unit, the port of an address.
DECISION = re.compile(r"/[a-z.][a-z.]*(/.*)?|\d{2,}|\d+(\.\d+)?[A-Za-z]{1,2}|.*(:|=)\d{2,}(?!\d*\.\d).*")
SCRIPT = re.compile(r"#!|\bset -[a-z]|\b(ba)?sh -c\b|&&|\|\||;\s*\w|\$\(")
ENDS_A_LINE = re.compile(r"\n")


def literals(module: Path) -> Iterator[tuple[int, object, bool]]:
    """Each literal of a module but for docstrings: its line, its value, and whether it is part of a text."""
    tree = ast.parse(module.read_text("utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield node.lineno, node.value, id(node) in parts


def decisions(module: Path) -> list[tuple[int, object]]:
    """The literals of a module that decide something."""
    return [(line, value) for line, value, part in literals(module) if decides(value, part=part)]


def decides(value: object, *, part: bool = False) -> bool:
    """Whether a literal is a decision; parts of a text are looked at for scripts alone, and for ports."""
    if isinstance(value, str):
        if is_script(value):
            return True
        return bool(re.search(r":\d{2,}", value) if part else DECISION.fullmatch(value))
    return isinstance(value, int | float) and not isinstance(value, bool) and value not in {0, 1}


def is_script(value: object) -> bool:
    """Whether a literal is one for a shell, or a part of one."""
    return isinstance(value, str) and bool(SCRIPT.search(value) or len(ENDS_A_LINE.findall(value)) > 1)


@every(MODULES)
def test_a_stack_decides_nothing(module: Path) -> None:
    allowed = ALLOWED.get(module.relative_to(STACKS).as_posix(), {})
    assert [(line, value) for line, value in decisions(module) if value not in allowed] == []


def test_nothing_is_allowed_that_is_not_there() -> None:
    for name, reasons in ALLOWED.items():
        present = {value for _, value, _ in literals(STACKS / name)}
        assert set(reasons) <= present, name


@every(RESOLVERS)
def test_what_resolves_puts_no_script_together(module: Path) -> None:
    allowed = NO_SCRIPTS.get(module.relative_to(RESOLVE).as_posix(), {})
    found = [(line, value) for line, value, _ in literals(module) if is_script(value)]
    assert [each for each in found if each[1] not in allowed] == []


def test_no_script_is_overlooked_that_is_not_there() -> None:
    for name, reasons in NO_SCRIPTS.items():
        assert set(reasons) <= {value for _, value, _ in literals(RESOLVE / name)}, name


@every(RESOLVERS)
def test_a_shell_gets_a_file(module: Path) -> None:
    assert given_to_shells(module.read_text("utf-8")) <= {"script"}


def test_a_shell_is_seen_by_any_name() -> None:
    text = '_SHELL = ("sh", "-c")\na = (*_SHELL, " ".join(words))\nb = ["bash", "-c", f"{a}", "b"]\n'
    assert given_to_shells(text) == {"' '.join", "f'{a}'"}


def given_to_shells(text: str) -> set[str]:
    """The texts after `-c` in the commands of a module, in place or from a constant that ends with it.

    A call is said by its function.
    """
    tree = ast.parse(text)
    commands = [node for node in ast.walk(tree) if isinstance(node, ast.Tuple | ast.List)]
    shells = {
        ast.unparse(node.targets[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.value).endswith("'-c')")
    }
    return {
        ast.unparse(given.func if isinstance(given, ast.Call) else given)
        for command in commands
        for shell, given in pairwise(command.elts)
        if ast.unparse(shell) in {"'-c'", *(f"*{name}" for name in shells)}
    }


@pytest.mark.parametrize(
    "value",
    [
        *(8265, 65532, "60m", "150m", "64Mi", "8265", "/opt/clusterprint", "/usr/local/nvidia/lib64"),
        *("set -ex\nmodprobe import-helper\n", "sh -c true", "#!/bin/sh\n", ". profile; exec program"),
        "--metrics-bind-address=:8080",
    ],
)
def test_what_a_decision_looks_like(value: object) -> None:
    assert decides(value)


@pytest.mark.parametrize("value", [0, 1, True, None, "kueue.x-k8s.io/v1", "Gi", "/", "BASIC", "eth0", "/*"])
def test_what_does_not_look_like_one(value: object) -> None:
    assert not decides(value)


@every(MODULES)
def test_arguments_of_resources_are_typed(module: Path) -> None:
    """Arguments passed as `**part(plan)` have names and types: mypy finds a wrong one."""
    tree = ast.parse(module.read_text("utf-8"))
    untyped = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.returns and "Any" in ast.unparse(node.returns)
    }
    handed_on = {
        ast.unparse(keyword.value.func)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg is None and isinstance(keyword.value, ast.Call)
    }
    assert not untyped & handed_on
