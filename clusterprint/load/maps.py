"""A map from its keys and values: every key text and written once, merges done."""

from clusterprint.diagnostic import Span
from clusterprint.load.codes import DUPLICATE_KEY, KEY_NOT_TEXT, MERGE_NOT_MAP
from clusterprint.load.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from clusterprint.load.problem import Problem, short


def make_map(span: Span, parts: list[Node], problems: list[Problem]) -> MapNode:
    """The map of these parts, which are keys and values in turn.

    A key written twice keeps its first value; a key that is not text is left out. Both are reported.
    """
    node = MapNode(span)
    merges: list[Node] = []
    first: dict[str, Span] = {}
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        text = _text_of(key, problems)
        if text is None:
            # What a map with such a key was meant to be is anyone's guess.
            node.broken = node.broken or not isinstance(key, ScalarNode)
        elif text in first:
            problems.append(_duplicate(text, key.span, first[text]))
        else:
            first[text] = key.span
            if isinstance(key, ScalarNode) and key.plain == "<<":
                merges.append(value)
            else:
                node.entries[text] = Entry(key.span, value)
    for value in merges:
        for source in _sources(value, problems):
            # Keys written here win over merged ones, and earlier merged ones over later.
            for text, entry in source.entries.items():
                node.entries.setdefault(text, entry)
    node.height = 1 + max((entry.value.height for entry in node.entries.values()), default=0)
    return node


def _text_of(key: Node, problems: list[Problem]) -> str | None:
    if isinstance(key, ScalarNode):
        if isinstance(key.value, str) or key.broken:
            return key.value if isinstance(key.value, str) else None
        if key.plain == "":
            problems.append(Problem(KEY_NOT_TEXT, "there is no key before this `:`", key.span, "write a key"))
            return None
        what = {bool: "true or false", type(None): "null"}.get(type(key.value), "a number")
        message = f"the key `{short(str(key.plain))}` means {what}, and a key must be text"
        problems.append(
            Problem(KEY_NOT_TEXT, message, key.span, f'write "{short(str(key.plain))}" in quotes')
        )
        return None
    what = "map" if isinstance(key, MapNode) else "list"
    help_text = "put quotes around a text that begins with a brace or bracket"
    problems.append(
        Problem(KEY_NOT_TEXT, f"a {what} is used as a key, and a key must be text", key.span, help_text)
    )
    return None


def _duplicate(text: str, span: Span, first: Span) -> Problem:
    return Problem(
        DUPLICATE_KEY,
        f"key '{short(text)}' is written twice",
        span,
        "remove one of the two",
        ((first, "first written here"),),
    )


def _sources(value: Node, problems: list[Problem]) -> list[MapNode]:
    candidates = value.items if isinstance(value, ListNode) else [value]
    sources = []
    for candidate in candidates:
        if isinstance(candidate, MapNode):
            sources.append(candidate)
        elif not candidate.broken:
            message = "`<<` merges the keys of maps, and this is not a map"
            help_text = "give an alias to a map (`<<: *defaults`) or a list of such aliases"
            problems.append(Problem(MERGE_NOT_MAP, message, candidate.span, help_text))
    return sources
