"""How numbers and names are put into sentences, wherever people read them."""

from collections.abc import Sequence


def counted(number: float, thing: str, things: str = "") -> str:
    """A number of things: `1 local SSD`, `1,200 nodes`, `2.5 GPUs`; `things` is an irregular plural."""
    return f"{amount(number)} {thing if number == 1 else things or f'{thing}s'}"


def in_units(number: int, units: str) -> str:
    """A number of units that are called by their plural: `1 router`, `2 addresses`, `1 GB`."""
    return of_units(f"{number:,}", units)


def of_units(number: str, units: str) -> str:
    """The same of a number in words, such as `0 to 4`."""
    one = units.removesuffix("es") if units.endswith("sses") else units.removesuffix("s")
    return f"{number} {one if number == '1' else units}"


def amount(number: float) -> str:
    """A number in full, however large: `1,200`, `2.5`, `0.125`, `1,980,931.2`."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.3f}".rstrip("0").rstrip(".")


def listed(words: Sequence[str], last: str = "or") -> str:
    """Several words as a phrase: `a, b or c`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def did_you_mean(*names: str, about: str = "") -> str:
    """The question after a guess, with what it is `about` in brackets; empty where nothing was guessed."""
    guessed = [name for name in names if name]
    note = f" ({about})" if about else ""
    return f"did you mean {listed(guessed)}{note}?" if guessed else ""
