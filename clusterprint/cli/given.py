"""Options that must say something: an empty one is what a script gives when it has lost its value."""

from typing import Any

import click


class Given(click.ParamType):
    """A text that is not empty; `wanted` completes "give ..."."""

    name = "text"

    def __init__(self, wanted: str) -> None:
        self._wanted = wanted

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text. Fails as wrong usage if there is none."""
        text = str(value)
        if not text.strip():
            self.fail(f"it is empty, so there would be nothing to compare with: give {self._wanted}", param, ctx)
        return text
