"""The text of an imported blueprint."""

import io
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from clusterprint.importing.findings import Finding
from clusterprint.importing.work import Translated
from clusterprint.masking import mask

_WIDTH = 1_000_000
# As long as a line of a terminal leaves room for.
_SHOWN = 60


def text_of(translated: Translated, sources: Iterable[str], left_out: Iterable[Finding] = ()) -> str:
    """The blueprint, and above it what was decided and what is left out."""
    from ruamel.yaml import YAML
    from ruamel.yaml.scalarstring import walk_tree

    yaml = YAML()
    yaml.default_flow_style = False
    yaml.width = _WIDTH
    stream = io.StringIO()
    data = deepcopy(translated.data)
    walk_tree(data)  # texts of several lines, scripts above all, are written as such
    yaml.dump(data, stream)
    return (
        "".join(f"# {one_line(mask(each))}\n" for each in _comments(translated, sources, left_out))
        + stream.getvalue()
    )


def _comments(translated: Translated, sources: Iterable[str], left_out: Iterable[Finding]) -> Iterable[str]:
    names = [*sources]
    yield f"Imported from {', '.join(names)}."
    for sentence in translated.decisions:
        yield f"Decided: {sentence}"
    for each in left_out:
        yield f"Left out: {each.file or names[0]}:{each.line}: {each.message}"


def quoted(value: Any) -> str:
    """A value of an input as messages show it: short, in one line."""
    text = repr(value[:_SHOWN] if isinstance(value, str) else value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def one_line(text: str) -> str:
    """A text of somebody else's in one line that a terminal, and a comment, shows as it is."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
