"""Codes of the schema step, and those about rules themselves; their documentation is in `codes.json`."""

from pathlib import Path

from clusterprint.explanation import explanations

_ALL = explanations(Path(__file__).with_suffix(".json"))
TOPICS = tuple(_ALL.values())

UNKNOWN_VERSION = _ALL["UNKNOWN_VERSION"]
UNKNOWN_KIND = _ALL["UNKNOWN_KIND"]
UNKNOWN_KEY = _ALL["UNKNOWN_KEY"]
MISSING_KEY = _ALL["MISSING_KEY"]
WRONG_TYPE = _ALL["WRONG_TYPE"]
NOT_ALLOWED = _ALL["NOT_ALLOWED"]
OUT_OF_RANGE = _ALL["OUT_OF_RANGE"]
MALFORMED = _ALL["MALFORMED"]
RULE_CRASHED = _ALL["RULE_CRASHED"]
UNUSED_IGNORE = _ALL["UNUSED_IGNORE"]
FIRM_IGNORE = _ALL["FIRM_IGNORE"]
