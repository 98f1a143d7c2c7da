"""One test about many small things.

With a parameter each is a test, and to hand out and report a test takes longer than such a check does.
Here too each thing is checked, whatever became of those before it, and each that fails is named.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def check_every(check: Callable[[T], object], things: Iterable[T], name: Callable[[T], str] = str) -> None:
    """Check all things; what fails is raised together, each with the name of its thing."""
    failed: list[Exception] = []
    for thing in things:
        try:
            check(thing)
        except Exception as error:  # noqa: BLE001 - all that a test of its own would report
            error.add_note(f"of {name(thing)}")
            failed.append(error)
    if failed:
        raise ExceptionGroup(f"{len(failed)} failed", failed)


def every(
    things: Iterable[T], name: Callable[[T], str] = str
) -> Callable[[Callable[[T], object]], Callable[[], None]]:
    """Make a test out of a check: it runs the check on all things."""
    all_of_them = list(things)

    def made(check: Callable[[T], object]) -> Callable[[], None]:
        def test() -> None:
            check_every(check, all_of_them, name)

        # No functools.wraps: pytest would look for a fixture of the name of the check's parameter.
        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return made
