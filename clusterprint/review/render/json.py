"""A report for scripts: the report model as it is, as JSON."""

import json

import msgspec

from clusterprint.review.model import Report


def render(report: Report) -> str:
    """The whole report; keys are in the order of the model, and nothing is folded."""
    # Everything that is not ASCII is escaped, so nothing in a value can act on a terminal.
    return json.dumps(msgspec.to_builtins(report), indent=2) + "\n"
