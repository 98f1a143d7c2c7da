"""ruamel's messages about broken YAML, in words for people who do not know its grammar.

One file, one diagnostic: after the first place that cannot be read, everything else is a guess.
Each function in this folder knows one kind of mistake, and returns None when it is another.
"""

from collections.abc import Callable

from ruamel.yaml.error import MarkedYAMLError

from clusterprint.load.codes import SYNTAX
from clusterprint.load.events import Events
from clusterprint.load.problem import Problem
from clusterprint.load.syntax import brackets, layout, quotes, signs
from clusterprint.load.syntax.mistake import Mistake
from clusterprint.load.texts import LINE_END

# In this order: an open quote or bracket explains what looks like another mistake further down.
_KINDS: tuple[Callable[[Mistake], Problem | None], ...] = (
    layout.tab,
    layout.odd_space,
    quotes.unclosed,
    brackets.mismatched,
    layout.misplaced_colon,
    layout.missing_colon,
    layout.misplaced_dash,
    layout.misplaced_line,
    layout.lonely_dash,
    signs.first_character,
    signs.star,
    quotes.unknown_escape,
    signs.block_text,
    signs.tag,
)


def explain(error: MarkedYAMLError, events: Events) -> Problem:
    """The one problem of a file that is not YAML."""
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return Problem(SYNTAX, f"the YAML cannot be read: {error.problem or error.context}")
    mistake = Mistake(
        error.problem or error.context or "",
        error.context or "",
        mark,
        error.context_mark,
        events,
        LINE_END.split(events.text),
    )
    for kind in _KINDS:
        problem = kind(mistake)
        if problem is not None:
            return problem
    return Problem(
        SYNTAX, f"the YAML cannot be read here: {mistake.problem}", mistake.here, "look for a missing quote"
    )
