"""The heading of a blueprint: which version of the language, and which kind."""

from typing import Any, NamedTuple

from clusterprint.blueprint import KINDS
from clusterprint.diagnostic import Diagnostic
from clusterprint.document import Document
from clusterprint.validate import help_texts, synonyms, wording
from clusterprint.validate.codes import UNKNOWN_KEY, UNKNOWN_KIND, UNKNOWN_VERSION
from clusterprint.words import did_you_mean
from clusterprint.words.guesses import likeness
from clusterprint.words.letters import find_odd

_VERSION = "v1"
# Kinds are short words: one wrong letter of two is still a clear intention, but only if no other is as near.
_NEAR = 0.5
_AS_NEAR = 0.15


class Heading(NamedTuple):
    """The kind to check against (None if it is not clear), what is wrong, and the data with it put right."""

    kind: str | None
    diagnostics: list[Diagnostic]
    data: dict[str, Any]


def read_heading(document: Document) -> Heading:
    """Find out what to check a document as."""
    data = dict(document.data)
    diagnostics = [_misspelt(document, data, key) for key in ("clusterprint", "kind") if key not in data]
    found = [each for each in diagnostics if each is not None]
    if data.get("clusterprint") != _VERSION and ("clusterprint",) not in document.broken:
        found.append(_wrong(document, data, "clusterprint", [_VERSION]))
    kind, problem = _kind(document, data)
    if problem is not None:
        found.append(problem)
    return Heading(kind, found, {**data, "clusterprint": _VERSION, "kind": kind})


def _misspelt(document: Document, data: dict[str, Any], key: str) -> Diagnostic | None:
    """Report a heading key under a wrong name, and put it under the right one."""
    written = next((each for each in data if wording.closest(each, [key], cutoff=0.8)), None)
    if written is None:
        return None
    data[key] = data.pop(written)
    odd = find_odd(written)
    return Diagnostic(
        UNKNOWN_KEY.code,
        UNKNOWN_KEY.severity,
        f"unknown key {wording.quoted(written)} in the blueprint",
        document.key_label((written,)),
        help=odd.help_text if odd else did_you_mean(repr(key)),
        instead=key,
    )


def _kind(document: Document, data: dict[str, Any]) -> tuple[str | None, Diagnostic | None]:
    kind = data.get("kind")
    if isinstance(kind, str) and kind in KINDS:
        return kind, None
    if ("kind",) in document.broken:
        return None, None
    problem = _wrong(document, data, "kind", list(KINDS))
    if not isinstance(kind, str):
        return None, problem
    near = _near(kind)
    odd = find_odd(kind)
    if odd:
        help_text = odd.help_text
    elif len(near) == 1:
        help_text = f"{did_you_mean(repr(near[0]))} (checked as such below)"
    elif near:
        help_text = f"{did_you_mean(*map(repr, near))} Nothing else is checked until the kind is clear"
    elif meant := synonyms.kind_for(kind):
        help_text = f"{did_you_mean(repr(meant))} `clusterprint explain` says what each kind is"
    else:
        help_text = synonyms.why_not_built(kind) or "`clusterprint explain` says what each kind is"
    only = near[0] if len(near) == 1 else None
    return only, problem._replace(help=help_text, instead=only)


def _near(kind: str) -> list[str]:
    """The kinds that may be meant, in their order."""
    if exact := wording.closest(kind, KINDS, cutoff=1):
        return [exact]
    ratios = {each: likeness(kind.lower(), each)[0] for each in KINDS}
    best = max(ratios.values())
    return [each for each, ratio in ratios.items() if ratio >= max(_NEAR, best - _AS_NEAR)]


def _wrong(document: Document, data: dict[str, Any], key: str, allowed: list[str]) -> Diagnostic:
    topic = UNKNOWN_VERSION if key == "clusterprint" else UNKNOWN_KIND
    if key not in data:
        message = f"the blueprint has no {key!r}"
        one = f"`{key}: {allowed[0]}`" if len(allowed) == 1 else f"`{key}:` with one of: {', '.join(allowed)}"
        return Diagnostic(topic.code, topic.severity, message, document.key_label(()), help=f"add {one}")
    message = wording.not_allowed(key, data[key], allowed)
    help_text = help_texts.of_not_allowed(data[key], allowed)
    return Diagnostic(topic.code, topic.severity, message, document.label((key,)), help=help_text)
