"""Provider modules that a folder of Python sources imports."""

import re
from pathlib import Path

PREFIX = "cdktf_cdktf_provider_"

# Parsing every source with `ast` would cost more than all the rest of a warm start. Text is enough: what is
# found in a comment is harmless, and what is missed still works (see `loading`), only slower.
_DOTTED = re.compile(rf"\b({PREFIX}\w+)\.(\w+)")
_LISTED = re.compile(rf"^\s*from\s+({PREFIX}\w+)\s+import\s+(?:\(([^)]*)\)|(.*))", re.MULTILINE)


def modules_imported(folder: Path) -> dict[str, set[str]]:
    """The provider modules named in the sources below a folder: `{package: {module, ...}}`.

    A source that cannot be read counts as empty.
    """
    found: dict[str, set[str]] = {}
    for source in sorted(folder.rglob("*.py")):
        try:
            text = source.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        for package, module in _DOTTED.findall(text):
            found.setdefault(package, set()).add(module)
        for package, inside, plain in _LISTED.findall(text):
            names = re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"#.*", "", inside or plain))
            found.setdefault(package, set()).update(names)
    return found
