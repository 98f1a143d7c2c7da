"""Names of things that are secret: what is given to such a name is hidden, whatever it looks like."""

import re

# The lengths are bounded because hostile texts are long.
_NAME = r"[\w.-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|(?:api|access|private)[_-]?key)[\w.-]{0,40}"
# What begins with `$` is taken from elsewhere, and so is no secret itself.
_VALUE = r"""\"[^\"\n$]+\"|'[^'\n]+'|[^\s\"'$;&|][^\s;&|]*"""
_ASSIGNMENT = re.compile(rf"(?i)(\b{_NAME}[\"']?[ \t]*[=:][ \t]*|--{_NAME}[= ])({_VALUE})")
_URL_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@]{0,100}:)([^\s/@$]{1,200})(?=@)")
_NAME_OF_SECRET = re.compile(rf"(?i){_NAME}")
_NO_SECRET = re.compile(
    r"(?i)(_id|_ids|_name|_names|_ref|_type|_version|_enabled|_file|_path|_length)$|secrets?$"
)


def is_secret_name(name: str) -> bool:
    """Whether the values of an argument of this name are secrets, not names of secrets."""
    return _NAME_OF_SECRET.fullmatch(name) is not None and _NO_SECRET.search(name) is None


def without_values(text: str) -> str:
    """The text with a star for each character of what is given to a name that sounds like a secret."""
    for form in (_ASSIGNMENT, _URL_PASSWORD):
        text = form.sub(lambda match: match[1] + "*" * len(match[2]), text)
    return text
