"""Rows of cells, lined up."""

from collections.abc import Collection, Iterable, Sequence

from clusterprint.render.visible import visible


def lined_up(header: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()) -> list[str]:
    """A heading and rows as lines; columns whose titles are among `right` are numbers."""
    cells = [header, *([visible(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if title in right else cell.ljust(width)
            for title, cell, width in zip(header, row, widths, strict=True)
        ).rstrip()
        for row in cells
    ]
