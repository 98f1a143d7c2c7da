"""Codes of the schema step, and the two about rules themselves."""

from clusterprint.diagnostic import Severity
from clusterprint.explanation import Explanation

UNKNOWN_VERSION = Explanation(
    "BP100",
    "unknown_version",
    Severity.ERROR,
    """The `clusterprint` version is missing or unknown.

Every blueprint says which version of the language it is written in, so that a later version of
clusterprint can read it as it was meant.

Write `clusterprint: v1` as the first line.""",
)

UNKNOWN_KIND = Explanation(
    "BP101",
    "unknown_kind",
    Severity.ERROR,
    """The `kind` is missing or unknown.

    The kind says what type of cluster the blueprint describes, and with it which keys it can have.

Write one of the kinds that the message lists.""",
)

UNKNOWN_KEY = Explanation(
    "BP102",
    "unknown_key",
    Severity.ERROR,
    """A key that the blueprint language does not have at this place.

    An unknown key is nearly always a misspelled one, and would silently do nothing.

Correct the spelling, move the key to where it belongs, or remove it. `clusterprint explain KIND.PLACE`
lists the keys of a place.""",
)

MISSING_KEY = Explanation(
    "BP103",
    "missing_key",
    Severity.ERROR,
    """A required key is missing.

There is no safe default for it: only you can know the value.

Add the key.""",
)

WRONG_TYPE = Explanation(
    "BP104",
    "wrong_type",
    Severity.ERROR,
    """A value is of the wrong type, for example text where a number belongs.

    Blueprints are YAML 1.2: `yes`, `on`, `1_000`, `017` and dates are text, `true`, `12` and `0o17` are not.
    Text can always be put in quotes.

Write a value of the type that the message names.""",
)

NOT_ALLOWED = Explanation(
    "BP105",
    "value_not_allowed",
    Severity.ERROR,
    """A value is not one of those allowed.

    The key accepts one of a few fixed words.

Write one of the values that the message lists.""",
)

OUT_OF_RANGE = Explanation(
    "BP106",
    "out_of_range",
    Severity.ERROR,
    """A number, or the length of a text or list, is out of range.

The limits are those of the cloud, or of what makes sense.

Write a value within the limits that the message names.""",
)

MALFORMED = Explanation(
    "BP107",
    "malformed_text",
    Severity.ERROR,
    """A text does not have the form that its key needs.

    Names, ranges, durations and paths have a form that the cloud insists on; a wrong one would be refused
    after other resources have been created.

Write a value of the form that the message describes.""",
)

RULE_CRASHED = Explanation(
    "BP190",
    "rule_crashed",
    Severity.ERROR,
    """A rule of clusterprint failed while it looked at this blueprint.

This is a mistake in clusterprint, not in the blueprint. All other rules ran.

Report it, with the blueprint and the error that the message names.""",
    "clusterprint itself",
)

UNUSED_IGNORE = Explanation(
    "BP191",
    "unused_ignore",
    Severity.WARNING,
    """An ignore comment that silences nothing.

    The problem is gone, or the comment is in the wrong place; left in, it would hide the problem when it
    comes back.

Remove the comment, or move it to the line of the problem (or the line above).""",
)

FIRM_IGNORE = Explanation(
    "BP192",
    "problem_cannot_be_ignored",
    Severity.ERROR,
    """An ignore comment names a problem that cannot be ignored.

Nothing can be built from a blueprint with such a problem: it is malformed, or contradicts itself.

Fix the problem and remove the comment.""",
)

TOPICS = (
    UNKNOWN_VERSION,
    UNKNOWN_KIND,
    UNKNOWN_KEY,
    MISSING_KEY,
    WRONG_TYPE,
    NOT_ALLOWED,
    OUT_OF_RANGE,
    MALFORMED,
    RULE_CRASHED,
    UNUSED_IGNORE,
    FIRM_IGNORE,
)
