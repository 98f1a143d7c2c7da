"""How numbers and names are put into sentences, wherever people read them."""

from collections.abc import Iterable, Sequence


def counted(number: float, thing: str) -> str:
    """A number of things: `1 local SSD`, `2 local SSDs`, `1,200 nodes`, `2.5 GPUs`."""
    amount = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{amount} {thing}{'' if number == 1 else 's'}"


def listed(words: Sequence[str], last: str = "or") -> str:
    """Several words as a phrase: `a, b or c`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def did_you_mean(*names: str, about: str = "") -> str:
    """The question after a guess, with what it is `about` in brackets; empty where nothing was guessed."""
    guessed = [name for name in names if name]
    note = f" ({about})" if about else ""
    return f"did you mean {listed(guessed)}{note}?" if guessed else ""


def nearest(name: str, candidates: Iterable[str]) -> str:
    """The candidate that was most likely meant, or an empty text; it has the same first letter."""
    import difflib  # as long as loading a file takes, and most runs have nothing to guess

    alike = [each for each in candidates if each[:1] == name[:1]]
    found = difflib.get_close_matches(name, alike, n=1, cutoff=0.6)
    return found[0] if found else ""
