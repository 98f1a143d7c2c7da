"""What a form of secret is, and what the patterns are made of."""

from typing import NamedTuple


class Format(NamedTuple):
    """One form of a secret.

    `words` complete "what looks like ...". `marks` are how a match begins, in lower case: the pattern is compiled
    and tried only there, which keeps `validate` fast; with `anywhere` the mark is somewhere in the match. In the
    pattern the group `secret` is what must not be seen, by default everything. `source` is who says so.
    """

    words: str
    marks: tuple[str, ...]
    pattern: str
    source: str
    anywhere: bool = False


# Nothing of a word stands before: a task is no `sk-`, nor is `the-sk-`; the dashes of an option are no word.
WORD = r"(?<![0-9A-Za-z])"
DASHED = r"(?:(?<![-_0-9A-Za-z])|(?<=--)|(?<=[^-\w]-))"
# A slash may be the one of a path before it.
BASE64 = r"(?:(?<![-_+0-9A-Za-z])|(?<=--)|(?<=[^-+\w]-))"

# Between a name and its value: `=`, `:`, a comma in a list of arguments, or (as in a container's environment)
# the name and the value as two keys. Bounded, because hostile texts are long.
IS = (
    r"""["'`\]]{0,2}[ \t]{0,8}(?:[:=]{1,2}>?|,?\s{0,40}["']?(?:value|default)["']?[ \t]{0,8}[:=])"""
    r"""[ \t]{0,8}["'`]?"""
)
# The value of a name that says whose secret it is: random to the eye, and no reference to a secret elsewhere.
RANDOM = (
    r"(?P<secret>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-fA-F]{32,128}(?![0-9A-Za-z])"
    r"|(?=[a-z0-9]{0,100}[A-Z])(?=[A-Z0-9]{0,100}[a-z])(?=[A-Za-z]{0,100}[0-9])[0-9A-Za-z_]{20,200}={0,2}"
    r"(?![-/0-9A-Za-z]))"
)
KEY = r"[_-]?(?:(?:api|app|application|access|auth|secret|login)[_-]?){0,2}(?:key|token|pat|secret|password)"


# Collections that are well kept, read on 2026-11-22.
AZURE = "Microsoft security-utilities: identifiable keys"
GITLEAKS = "gitleaks: default configuration"


def named(*names: str) -> str:
    """The pattern of a random value beside one of these names (and `_API_KEY`, `_TOKEN` and so on)."""
    return rf"{WORD}(?i:(?:{'|'.join(names)}){KEY}){IS}{RANDOM}"
