"""Guesses of the word that was meant: the one place where words are compared.

difflib is imported when there is something to guess: it takes as long as loading a file, and most runs are
without a mistake.
"""

from collections.abc import Callable, Hashable, Iterable
from itertools import takewhile
from typing import Protocol

# How alike two words are when one was likely meant by the other, unless somebody knows better; 1 is equality.
LIKELY = 0.6
# Less than anybody asks for.
_NO_SHARE = 0.1


def alike(
    word: str,
    candidates: Iterable[str],
    *,
    cutoff: float = LIKELY,
    plain: Callable[[str], str] = str,
    most: int = 1,
) -> list[str]:
    """The candidates that are most like a word, the best first; `plain` takes off what people vary."""
    from difflib import get_close_matches

    known, bare = {plain(each): each for each in candidates}, plain(word)
    if len(bare) > _most_letters(max(map(len, known), default=0), cutoff):
        return []
    return [known[each] for each in get_close_matches(bare, known, n=most, cutoff=cutoff)]


def _most_letters(letters: int, share: float) -> float:
    """How long a word may be to share so many of all letters with one that has this many."""
    return letters * (2 - share) / share


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The name of the user's own that was likely meant, or an empty text; it has the same first letter."""
    return next(iter(alike(word, [each for each in candidates if each[:1] == word[:1]])), "")


def likeness(word: str, candidate: str) -> tuple[float, int]:
    """The share of letters that two words have in common, and how many of them are at the beginning."""
    from difflib import SequenceMatcher

    if len(word) > _most_letters(len(candidate), _NO_SHARE):
        return 0, 0
    # In the order that `alike` compares them: the share is not symmetric.
    share = SequenceMatcher(None, candidate, word).ratio()
    same = takewhile(lambda pair: pair[0] == pair[1], zip(candidate, word, strict=False))
    return share, sum(1 for _ in same)


class _Names(Iterable[str], Hashable, Protocol):
    def __len__(self) -> int: ...


# A guess costs a comparison with each candidate. This is enough for the mistakes of a person and takes a
# second at worst; whoever has thousands of wrong names is not helped by as many guesses.
_COMPARISONS = 10_000


class Guesses:
    """The likely meaning of each of many words, until there were too many comparisons.

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
        return next(iter(alike(word, candidates, cutoff=self._cutoff, plain=self._plain)), "")
