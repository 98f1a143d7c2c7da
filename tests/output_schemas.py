"""Output with `--format json` is as `clusterprint schema outputs` says, in every test of a command."""

import json
import subprocess
from functools import cache
from itertools import pairwise
from typing import Any

from jsonschema import Draft7Validator

from clusterprint.validate.schemas import OUTPUTS, schema_of

GROUPS = ("jobs", "policy", "evidence")


@cache
def validator() -> Draft7Validator:
    """The published schema."""
    return Draft7Validator(schema_of(OUTPUTS))


def mistakes(command: str, printed: Any) -> list[str]:
    """The places where something printed is not as published."""
    found = validator().iter_errors({command: printed})
    return [f"{each.json_path}: {each.message[:300]}" for each in found]


def check_output(done: "subprocess.CompletedProcess[str]") -> "subprocess.CompletedProcess[str]":
    """The same command, after a look at what it has printed, if that is JSON."""
    words = list(map(str, done.args))
    start = words.index("clusterprint") + 1 if "clusterprint" in words else 0
    words = words[start:]
    is_json = "--format=json" in words or ("--format", "json") in pairwise(words)
    if not is_json or "--watch" in words or not isinstance(done.stdout, str) or done.stdout[:1] not in "[{":
        return done
    if not done.stdout.strip() or "-o" in words or "--out" in words:
        return done
    command = " ".join(words[:2]) if words[0] in GROUPS else words[0]
    wrong = mistakes(command, json.loads(done.stdout))
    assert not wrong, "\n".join(wrong)
    return done
