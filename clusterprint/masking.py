"""What secrets look like (the few forms that are hardly ever anything else), and keeping them out of sight.

Rules report them, and nothing that we print repeats them: not a message, not the line of a file.
"""

import re
from typing import NamedTuple

_FORMS = {
    "a private key": r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
    "the key of a service account": r"[\"']private_key[\"']\s*:\s*[\"']",
    "an AWS access key": r"(?<![0-9A-Z])(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])",
    "a GitHub token": r"(?<![0-9A-Za-z])(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{40})",
    "a GitLab token": r"(?<![-0-9A-Za-z])glpat-[-_0-9A-Za-z]{20}",
    "a Google API key": r"(?<![-_0-9A-Za-z])AIza[-_0-9A-Za-z]{35}(?![-_0-9A-Za-z])",
    "a Google access token": r"(?<![0-9A-Za-z])ya29\.[-_0-9A-Za-z]{30}",
    "a Hugging Face token": r"(?<![0-9A-Za-z])hf_[0-9A-Za-z]{34}(?![0-9A-Za-z])",
    "an NVIDIA API key": r"(?<![0-9A-Za-z])nvapi-[-_0-9A-Za-z]{60}",
    "a Slack token": r"(?<![0-9A-Za-z])xox[abeoprs]-[0-9]{8,}-[-0-9A-Za-z]{10,}",
}

_ANY = re.compile("|".join(f"({form})" for form in _FORMS.values()))
_NAMES = tuple(_FORMS)

# How far a secret reaches beyond what gives it away; the others are given away by all of them.
_REACH = {
    "a private key": re.compile(r".*?-----END [A-Z0-9 ]*-----|.*", re.DOTALL),
    "the key of a service account": re.compile(r"(?:[^\"'\\]|\\.)*", re.DOTALL),
}

SOURCE = "clusterprint: nothing secret stands in a blueprint"


class Secret(NamedTuple):
    """What a text holds, in words, and on which of its lines; never the secret itself."""

    what: str
    line: int


def find(text: str) -> Secret | None:
    """The first thing in a text that looks like a secret."""
    match = _ANY.search(text)
    if match is None or match.lastindex is None:
        return None
    return Secret(_NAMES[match.lastindex - 1], text.count("\n", 0, match.start()) + 1)


def mask(text: str) -> str:
    """The text with a star for each character of a secret; lines and columns stay where they are."""
    parts = []
    end = 0
    for match in _ANY.finditer(text):
        if match.start() < end or match.lastindex is None:
            continue  # inside a secret that is masked already
        parts.append(text[end : match.start()])
        reach = _REACH.get(_NAMES[match.lastindex - 1])
        tail = reach.match(text, match.end()) if reach else None
        end = tail.end() if tail else match.end()
        parts.append("".join(each if each.isspace() else "*" for each in text[match.start() : end]))
    return "".join([*parts, text[end:]])
