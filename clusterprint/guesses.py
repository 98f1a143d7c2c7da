"""Did-you-mean for words that may be many: the work stays in proportion to what is read."""

from collections.abc import Callable, Hashable, Iterable
from typing import Protocol


class _Names(Iterable[str], Hashable, Protocol):
    def __len__(self) -> int: ...


# A guess costs a comparison with each candidate. This is enough for the mistakes of a person and takes a
# second at worst; whoever has thousands of wrong names is not helped by as many guesses.
_COMPARISONS = 10_000


class Guesses:
    """What was likely meant by each word, until there were too many comparisons.

    A candidate has to be alike by `cutoff` (1 is equality); `plain` takes off what people vary. The same
    question costs nothing.
    """

    def __init__(self, cutoff: float, plain: Callable[[str], str] = str) -> None:
        self._cutoff = cutoff
        self._plain = plain
        self._left = _COMPARISONS
        self._found: dict[tuple[str, _Names], str] = {}

    def closest(self, word: str, candidates: _Names) -> str:
        """The candidate, or an empty text."""
        if (word, candidates) not in self._found:
            self._found[word, candidates] = self._look(word, candidates)
        return self._found[word, candidates]

    def _look(self, word: str, candidates: _Names) -> str:
        self._left -= len(candidates)
        if self._left < 0:
            return ""
        # Only here, where something is wrong: it takes a while to import.
        from difflib import get_close_matches

        known = {self._plain(each): each for each in candidates}
        near = get_close_matches(self._plain(word), known, n=1, cutoff=self._cutoff)
        return known[near[0]] if near else ""
