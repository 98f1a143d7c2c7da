"""The tables of the catalog, and its machines, for the tests that look at all of them."""

from pathlib import Path

from every import every

from clusterprint import catalog

FOLDER = Path(catalog.__file__).parent
MACHINES = catalog.machines()


def known(name: str) -> catalog.Machine:
    found = catalog.machine(name)
    assert found is not None, name
    return found


each_machine = every(MACHINES, lambda machine: machine.name)
