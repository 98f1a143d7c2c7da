"""The cut assemblies: which one is wanted, and where it is."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from clusterprint.bindings import cache
from clusterprint.bindings.warning import warn

# Part of the cache's keys: raise it with every change of what `cut` writes.
_FORMAT = 1


class Assembly(NamedTuple):
    """An assembly as a Python package of bindings brings it, with the arguments of jsii's `load`."""

    name: str
    version: str
    tarball: str

    @property
    def package(self) -> str:
        """The Python package that it belongs to."""
        return Path(self.tarball).parent.parent.name


@contextmanager
def cut_assembly(whole: Assembly, modules: frozenset[str], name: str) -> Iterator[Assembly]:
    """An assembly with some modules only, called `name`: from the cache, or made and put there.

    Its file is certain to be there only until the end of the `with`. Raises what `cut` raises.
    """
    key = _key(whole, modules, name)
    root = cache.cache_folder()
    folder = root and root / "bindings"
    kept = folder and cache.find(folder, key)
    if kept:
        yield Assembly(name, whole.version, str(kept))
        return
    from clusterprint.bindings.cut import cut

    content = cut(Path(whole.tarball), modules, name)
    if folder:
        try:
            kept = cache.keep(folder, key, content)
        except OSError as failure:
            warn(f"cannot keep bindings for the next run in {folder}: {failure.strerror}")
        else:
            yield Assembly(name, whole.version, str(kept))
            return
    with tempfile.TemporaryDirectory() as aside:
        yield Assembly(name, whole.version, str(cache.keep(Path(aside), key, content)))


def _key(whole: Assembly, modules: frozenset[str], name: str) -> str:
    """Begins with readable words, for people who look into the folder."""
    size = Path(whole.tarball).stat().st_size
    facts = [_FORMAT, whole.name, whole.version, size, version("jsii"), name, *sorted(modules)]
    digest = hashlib.sha256("\n".join(map(str, facts)).encode()).hexdigest()
    return f"{whole.package.removeprefix('cdktf_cdktf_')}-{whole.version}-{digest[:24]}"
