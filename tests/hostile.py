"""Blueprints of every kind with a text of the attacker's in every place that takes one (tests/hostile/)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ruamel.yaml import YAML
from support import ROOT

from clusterprint.derived import kustomizations

MARK = "@@"
NONCE = "evil"

#: What Terraform would evaluate, and what the engine would take for a value of its own.
PAYLOADS = (
    f'${{file("/{NONCE}")}}',
    f"%{{ if {NONCE} }}x%{{ endif }}",
    f'$${{file("/{NONCE}")}}',
    f'"${{file("/{NONCE}")}}"',
    f'${{"{NONCE}"}}',
    f"%%{{ if {NONCE} }}",
    f"${{TfToken[{NONCE}.0]}}",
    f"#{{TfToken[{NONCE}.1]}}",
    f"&{{TfToken[{NONCE}.2]}}",
    f"-8.109562212591379e+298 {NONCE}",
)

SHORT = f'${{file("/{NONCE}")}}%{{if {NONCE}}}${{TfToken[{NONCE}.0]}}'
_AT_MOST_64 = frozenset({"name", "run"})

# What stands in the files that the blueprints name, by the last words of their names.
_CONTENTS = {
    ".sh": f"#!/bin/sh\necho '{MARK}'\n",
    ".pub": f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY {MARK}\n",
    "objects": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: hostile}}\ndata: {{text: '{MARK}'}}\n",
    "values": f"text: '{MARK}'\n",
    "serve": f"applications: [{{name: chat, import_path: 'chat.app:it', args: {{text: '{MARK}'}}}}]\n",
    "init-": f"packages: [htop]\nwrite_files:\n- path: /etc/motd\n  content: |\n    {MARK}\n",
    "": f"{MARK}\n",
}

Field: TypeAlias = tuple[str, ...]


def blueprints(kind: str) -> list[Path]:
    return sorted((ROOT / "tests" / "hostile").glob(f"{kind}-*.yaml"))


def read(blueprint: Path) -> Any:
    return YAML(typ="safe").load(blueprint)


class Hostile(NamedTuple):
    """A blueprint on the disk, and what stands in each of its places."""

    file: Path
    payloads: dict[Field, str]


def lay(blueprint: Path, folder: Path) -> Hostile:
    """A blueprint with all payloads in all its places, and the files that it names with them in theirs."""
    data = read(blueprint)
    payloads = {field: _payload(field, number) for number, field in enumerate(_marked(data))}
    for field, text in strings(data):
        if field[-1] in ("file", "source", "context") and field in payloads:
            _lay_file(folder / text.replace(MARK, payloads[field]), payloads[field], tree=field[-1] != "file")
        elif field[-1] == "kustomization":
            _lay_kustomization(folder, text.replace(MARK, payloads[field]))
    made = folder / "blueprint.yaml"
    # JSON is YAML, and quotes everything.
    made.write_text(json.dumps(_filled(data, payloads)), "utf-8")
    return Hostile(made, payloads)


def _payload(field: Field, number: int) -> str:
    many = SHORT if field[-1] in _AT_MOST_64 else " ".join(PAYLOADS)
    return f"{many} {number}."


def _marked(data: Any) -> list[Field]:
    return list(dict.fromkeys(field for field, text in strings(data) if MARK in text))


def _lay_file(path: Path, payload: str, *, tree: bool) -> None:
    path = path / payload.replace("/", "-") if tree else path
    path.parent.mkdir(parents=True, exist_ok=True)
    content = next(text for words, text in _CONTENTS.items() if words in str(path))
    path.write_text(content.replace(MARK, payload), "utf-8")


def _lay_kustomization(folder: Path, text: str) -> None:
    """With what it is rendered to, as the blueprint of its kind names it."""
    (folder / text).mkdir(parents=True)
    (folder / text / "kustomization.yml").write_text("resources: []\n", "utf-8")
    rendered = "./rendered.yaml"
    objects = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: rendered}\n"
    inputs = kustomizations.inputs_of(text, folder, rendered)
    (folder / rendered).write_bytes(kustomizations.written(text, inputs, objects))


def _filled(value: Any, payloads: dict[Field, str], field: Field = ()) -> Any:
    if isinstance(value, dict):
        return {key: _filled(each, payloads, (*field, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, payloads, (*field, "[]")) for each in value]
    return value.replace(MARK, payloads.get(field, "")) if isinstance(value, str) else value


def strings(value: Any, field: Field = ()) -> Iterator[tuple[Field, str]]:
    """All texts of data, each with the keys that lead to it; `[]` for any position of a list."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from strings(each, (*field, key))
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, (*field, "[]"))
    elif isinstance(value, str):
        yield field, value


def live_expressions(text: str) -> Iterator[str]:
    """The expressions in a text: the content of each `${...}` and `%{...}` that is not doubled."""
    place = 0
    while (found := re.compile(r"[$%]?[$%]\{").search(text, place)) is not None:
        place = found.end()
        if found[0] in ("$${", "%%{"):
            continue
        depth, start = 1, place
        while depth and place < len(text):
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            place += 1
        yield text[start:place]
