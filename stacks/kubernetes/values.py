"""Values of charts, as text."""

import re
from collections.abc import Mapping
from typing import Any

from stacks.literal_plan import as_json

# JSON takes these as they are, YAML does not.
_NOT_IN_YAML = re.compile("[\x7f-\x84\x86-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def values(data: Mapping[str, Any]) -> str:
    """Values as JSON, which is YAML: one line for each value, so that a plan shows which ones change."""
    text = as_json(data, indent=2, ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
