"""A reading of user data the way cloud-init reads it."""

import base64
import gzip
from typing import Any

from ruamel.yaml import YAML


def read(data: str) -> dict[str, Any]:
    """The document that cloud-init finds in custom data."""
    text = base64.b64decode(data, validate=True)
    if text.startswith(b"\x1f\x8b"):
        text = gzip.decompress(text)
    assert text.startswith(b"#cloud-config\n")
    document: dict[str, Any] = YAML(typ="safe").load(text)
    return document


def content(file: dict[str, Any]) -> str:
    """The text of an entry of `write_files`."""
    text: str = file["content"]
    if file.get("encoding") == "b64":
        return base64.b64decode(text, validate=True).decode()
    return text


def texts(data: str) -> dict[str, str]:
    """The texts of all files that cloud-init writes, by path."""
    return {file["path"]: content(file) for file in read(data)["write_files"]}
