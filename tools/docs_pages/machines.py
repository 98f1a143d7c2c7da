"""docs/reference: the machine types of the catalog."""

from collections.abc import Iterable, Sequence

from clusterprint import catalog
from clusterprint.cli import azure_sizes, machines, tpus
from docs_pages.markup import page, prose, table


def machines_page() -> str:
    """The machine types of the catalog."""

    def listed(rows: Iterable[Sequence[str]]) -> list[list[str]]:
        return [[cell if column else f"`{cell}`" for column, cell in enumerate(row)] for row in rows]

    return page(
        [
            "# Machine types with accelerators",
            "`clusterprint machines NAME` shows everything about one, and where it is known from.",
            "## Google Cloud",
            table(machines.HEADER, listed(map(machines.row, catalog.machines()))),
            prose(machines.LEGEND.strip().replace("\n", "  \n")),
            "## Google Cloud, with TPUs",
            table(tpus.HEADER, listed(tpus.row(*each) for each in tpus.everything())),
            prose(tpus.LEGEND.strip().replace("\n", "  \n")),
            "## Azure",
            table(azure_sizes.HEADER, listed(map(azure_sizes.row, catalog.azure_sizes()))),
            prose(azure_sizes.LEGEND.strip().replace("\n", "  \n")),
        ],
        "clusterprint/catalog/google",
        "clusterprint/catalog/azure",
    )
