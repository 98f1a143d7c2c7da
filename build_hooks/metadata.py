"""Metadata of a distribution for a package index: its home, and a README whose links work there.

The project has no fixed home: it is published by whichever repository builds it. Links and URLs are made of
what GitHub tells its workflows. Built anywhere else, a package has no URLs, and relative links.
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_NAME = re.compile(r"^[\w.-]+")
# `[text](target)` and `![text](target)`, the target neither a URL nor a place in the same page.
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|!?\[[^\[\]]*\](?:\([^)]*\))?)*)\]\((?![a-z]+:|#)([^)\s]+)\)")


class PublishedMetadata(MetadataHookInterface):
    """Sets what the project declares dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Hatch's question. In an sdist both stand in PKG-INFO already, and are not asked for."""
        folder = Path(self.root)
        home = Home.of(os.environ)
        if "readme" in metadata["dynamic"]:
            text = (folder / "README.md").read_text("utf-8")
            inside = self.config.get("folder", ".")
            metadata["readme"] = {
                "content-type": "text/markdown",
                "text": home.absolute(text, folder, inside) if home else text,
            }
        if "urls" in metadata["dynamic"]:
            metadata["urls"] = home.urls() if home else {}
        # The light distribution says nothing twice.
        if "dependencies" in metadata["dynamic"]:
            metadata.update(light(tomllib.loads((folder.parent / "pyproject.toml").read_text("utf-8"))))


def light(pyproject: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a complete distribution, as far as it holds for the one without the engine."""
    project = pyproject["project"]
    engine = set(pyproject["tool"]["clusterprint-core"]["without"])
    needed = [each for each in project["dependencies"] if _NAME.findall(each)[0] not in engine]
    if len(needed) + len(engine) != len(project["dependencies"]):
        raise ValueError(f"[tool.clusterprint-core] names what is no dependency: {', '.join(sorted(engine))}")
    return {"dependencies": needed, **{key: project[key] for key in ("authors", "keywords", "classifiers")}}


class Home:
    """A repository on a forge, at one revision."""

    def __init__(self, url: str, revision: str) -> None:
        """`url` of the repository, without a slash at its end; `revision`: a tag or a commit."""
        self.url = url
        self.revision = revision

    @classmethod
    def of(cls, environment: "os._Environ[str] | dict[str, str]") -> "Home | None":
        """The repository that a GitHub workflow builds; None outside of one."""
        repository = environment.get("GITHUB_REPOSITORY")
        if not repository:
            return None
        tagged = environment.get("GITHUB_REF_TYPE") == "tag"
        revision = environment.get("GITHUB_REF_NAME") if tagged else environment.get("GITHUB_SHA")
        return cls(
            f"{environment.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}", revision or "HEAD"
        )

    def urls(self) -> dict[str, str]:
        """The links beside the description."""
        return {
            "Source": f"{self.url}/tree/{self.revision}",
            "Documentation": f"{self.url}/tree/{self.revision}/docs",
            "Changelog": f"{self.url}/blob/{self.revision}/CHANGELOG.md",
            "Issues": f"{self.url}/issues",
        }

    def absolute(self, text: str, folder: Path, inside: str) -> str:
        """A Markdown text with absolute links; `folder` is its own, which is `inside` in the repository."""

        def link(found: "re.Match[str]") -> str:
            image, words, target = found.groups()
            path, _, anchor = target.partition("#")
            at = os.path.normpath(f"{inside}/{path}")
            kind = "raw" if image else "tree" if (folder / path).is_dir() else "blob"
            words = _LINK.sub(link, words)  # an image, perhaps
            return f"{image}[{words}]({self.url}/{kind}/{self.revision}/{at}{anchor and '#' + anchor})"

        return _LINK.sub(link, text)
