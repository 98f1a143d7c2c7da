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


# Names of variables and keys whose values are secrets, and a value after `=` or `:` on the same line. What
# begins with `$` is taken from elsewhere, and so is no secret itself.
# The lengths are bounded because hostile texts are long.
_NAME = r"[\w.-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|(?:api|access|private)[_-]?key)[\w.-]{0,40}"
_VALUE = r"""\"[^\"\n$]+\"|'[^'\n]+'|[^\s\"'$;&|][^\s;&|]*"""
_ASSIGNMENT = re.compile(rf"(?i)(\b{_NAME}[\"']?[ \t]*[=:][ \t]*|--{_NAME}[= ])({_VALUE})")
_URL_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@]{0,100}:)([^\s/@$]{1,200})(?=@)")
_NAME_OF_SECRET = re.compile(rf"(?i){_NAME}")
_NO_SECRET = re.compile(
    r"(?i)(_id|_ids|_name|_names|_ref|_type|_version|_enabled|_file|_path|_length)$|secrets?$"
)


def mask_thoroughly(text: str) -> str:
    """As `mask`, and also what is given to a name that sounds like a secret, or as a password in an address.

    For texts that are shown to many, where a star too many does no harm.
    """
    for form in (_ASSIGNMENT, _URL_PASSWORD):
        text = form.sub(lambda match: match[1] + "*" * len(match[2]), text)
    return mask(text)


def is_secret_name(name: str) -> bool:
    """Whether the values of an argument of this name are secrets, not names of secrets."""
    return _NAME_OF_SECRET.fullmatch(name) is not None and _NO_SECRET.search(name) is None
