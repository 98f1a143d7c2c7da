"""Reading a plan file, and saying what it is when it is no plan."""

import json
from pathlib import Path
from typing import Any

from clusterprint.errors import UsageError
from clusterprint.find import STDIN
from clusterprint.review.terraform_plan.shape import misshapen

# Larger plans have been seen, but not of clusters; and all of it has to fit into memory several times.
_MOST_BYTES = 256 * 1024 * 1024

_HELP = "create one with `terraform plan -out=tfplan` and `terraform show -json tfplan > plan.json`"
_ZIP = b"PK\x03\x04"
_FORMAT = "1"


def read_plan(file: Path) -> dict[str, Any]:
    """The plan in a file.

    Raises UsageError, with help, for everything that is none.
    """
    if file == STDIN:
        raise UsageError(f"a plan is read from a file, not from standard input: {_HELP}")
    raw = _bytes(file)
    if raw.startswith(_ZIP):
        raise UsageError(
            f"{file} is a plan as Terraform keeps it: run `terraform show -json {file} > plan.json` "
            "in the folder of its stack, and give that"
        )
    try:
        document = json.loads(raw.decode("utf-8-sig"))
    except RecursionError:
        raise UsageError(f"{file} is nested too deeply to be a Terraform plan") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not text: {_HELP}") from None
    except ValueError as error:
        raise UsageError(_not_json(file, raw, error)) from None
    return _checked(file, document)


def _bytes(file: Path) -> bytes:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise UsageError(
                f"{file} is larger than {_MOST_BYTES // 1024**2} MiB: is it a plan of one stack?"
            )
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the plan {file}: {error.strerror}") from error


def _not_json(file: Path, raw: bytes, error: ValueError) -> str:
    lines = [line for line in raw[:100_000].splitlines() if line.strip()]
    if lines and all(line.lstrip().startswith(b'{"@') for line in lines[:3]):
        return f"{file} is the log of `terraform plan -json`, not the plan: {_HELP}"
    return f"{file} is not JSON ({error}): {_HELP}"


def _checked(file: Path, document: Any) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise UsageError(f"{file} is JSON, but not a Terraform plan: {_HELP}")
    if "@level" in document:
        raise UsageError(f"{file} is the log of `terraform plan -json`, not the plan: {_HELP}")
    if "format_version" not in document or not ({"planned_values", "resource_changes"} & document.keys()):
        what = (
            "a Terraform state"
            if {"lineage", "serial", "values"} & document.keys()
            else "not a Terraform plan"
        )
        raise UsageError(f"{file} is {what}: {_HELP}")
    version = str(document["format_version"])
    if version.partition(".")[0] != _FORMAT:
        raise UsageError(f"{file} has plan format {version}, and this clusterprint reads format {_FORMAT}")
    if wrong := misshapen(document):
        raise UsageError(f"{file} is not a Terraform plan: {wrong}")
    # What is null is not there.
    return {key: value for key, value in document.items() if value is not None}
