"""Find and open the CDKTF provider wheels, the source of the schemas.

A wheel's jsii archive holds the compiled JavaScript with inline source maps, and these hold the generated
TypeScript. No provider binary, no provider source and no network are needed.
"""

import base64
import hashlib
import importlib.metadata
import json
import re
import tarfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from clusterprint_simcloud import cache
from clusterprint_simcloud.errors import MissingPart
from clusterprint_simcloud.schema.blocks import blocks_of
from clusterprint_simcloud.schema.model import Block, ProviderSchema
from clusterprint_simcloud.schema.typescript import Source

# Part of the cache key: raise it when the extraction changes.
EXTRACTION = 1
_SOURCE_MAP = re.compile(r"//# sourceMappingURL=data:application/json[^,]*;base64,([A-Za-z0-9+/=]+)")
_MIN_PARTS = 4  # package/lib/<folder>/<file>.js


@dataclass(frozen=True)
class Wheel:
    """One installed provider wheel."""

    provider: str  # google, azurerm, kubernetes, helm...

    @property
    def distribution(self) -> str:
        """Its name in the package index."""
        return f"cdktf-cdktf-provider-{self.provider}"

    @property
    def version(self) -> str:
        """The wheel's own version, which is not the provider's.

        :raises MissingPart: when it is not installed.
        """
        return self._installed().version

    def is_installed(self) -> bool:
        """Whether the bindings of this provider are there."""
        try:
            self._installed()
        except MissingPart:
            return False
        return True

    def _installed(self) -> importlib.metadata.Distribution:
        try:
            return importlib.metadata.distribution(self.distribution)
        except importlib.metadata.PackageNotFoundError as error:
            message = f"The schema of provider {self.provider!r} comes from {self.distribution}: install it."
            raise MissingPart(message) from error

    def _archive(self) -> Path:
        # Not by an import: a process may use another package of this name, cut down and without sources.
        folder = Path(str(self._installed().locate_file(self.distribution.replace("-", "_"))))
        found = list((folder / "_jsii").glob("*.jsii.tgz"))
        if not found:
            message = f"The installed {self.distribution} has no jsii archive: install it again."
            raise MissingPart(message)
        return found[0]

    def read(self, wanted: Collection[str]) -> ProviderSchema:
        """Extract the schemas of the `wanted` types (`google_compute_network`, `data.google_project`).

        Types that the wheel does not know are left out: Terraform then says so where they are used.
        """
        folders = {"provider"} | {self._folder(name) for name in wanted}
        sources: dict[str, list[str]] = {}
        version = ""
        for name, content in self._files(folders):
            if name == "package.json":
                version = json.loads(content)["cdktf"]["provider"]["version"]
            else:
                sources.setdefault(name, []).append(_typescript(content))
        return _schema(self.provider, version, sources)

    def _folder(self, wanted: str) -> str:
        plain = wanted.removeprefix("data.").removeprefix(f"{self.provider}_").replace("_", "-")
        return f"data-{self.provider}-{plain}" if wanted.startswith("data.") else plain

    def _files(self, folders: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield (folder or `package.json`, text) for every file that matters."""
        with tarfile.open(self._archive(), "r:gz") as archive:
            for member in archive:
                parts = member.name.split("/")
                wanted = len(parts) >= _MIN_PARTS and parts[1] == "lib" and parts[2] in folders
                manifest = member.name == "package/package.json"
                if not manifest and not (wanted and parts[-1].endswith(".js")):
                    continue
                file = archive.extractfile(member)
                if file is not None:
                    yield ("package.json" if manifest else parts[2]), file.read().decode()


def load(provider: str, wanted: Collection[str]) -> ProviderSchema:
    """The schema of the `wanted` types, from the cache when this wheel has been asked for them before."""
    wheel = Wheel(provider)
    key = hashlib.sha256("\n".join([str(EXTRACTION), *sorted(wanted)]).encode()).hexdigest()[:16]
    path = cache.folder() / "schemas" / f"{provider}-{wheel.version}-{key}.json"
    if path.exists():
        try:
            return msgspec.json.decode(path.read_bytes(), type=ProviderSchema)
        except msgspec.DecodeError:
            path.unlink(missing_ok=True)  # not ours or broken: make it again
    schema = wheel.read(wanted)
    cache.write(path, msgspec.json.encode(schema))
    return schema


def _schema(provider: str, version: str, sources: dict[str, list[str]]) -> ProviderSchema:
    found: dict[str, dict[str, Block]] = {
        "TerraformResource": {},
        "TerraformDataSource": {},
        "TerraformProvider": {},
    }
    for texts in sources.values():
        for base, name, block in blocks_of(Source("\n".join(texts))):
            found[base][name] = block
    configuration = next(iter(found["TerraformProvider"].values()), Block())
    # `alias` belongs to Terraform, not to the provider.
    attributes = {name: one for name, one in configuration.attributes.items() if name != "alias"}
    return ProviderSchema(
        provider,
        version,
        Block(attributes, configuration.blocks),
        found["TerraformResource"],
        found["TerraformDataSource"],
    )


def _typescript(javascript: str) -> str:
    match = _SOURCE_MAP.search(javascript)
    return "\n".join(json.loads(base64.b64decode(match[1]))["sourcesContent"]) if match else ""
