"""Options that refuse empty values, which scripts pass when a variable is unset."""

from collections.abc import Callable

import click


def non_empty(wanted: str) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """A callback of an option that refuses an empty value as wrong usage; `wanted` completes "give ..."."""

    def check(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is not None and not value.strip():
            raise click.BadParameter(
                f"it is empty, so there would be nothing to compare with: give {wanted}", ctx, param
            )
        return value

    return check
