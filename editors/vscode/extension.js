// Starts `clusterprint lsp` and connects it to VS Code. All that it knows is on the other side.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function start() {
  const [command, ...args] = vscode.workspace.getConfiguration("clusterprint").get("command");
  client = new LanguageClient(
    "clusterprint",
    "clusterprint",
    // As a list of words, never through a shell.
    { command, args, transport: TransportKind.stdio },
    // The server itself leaves alone what is no blueprint.
    { documentSelector: [{ language: "yaml" }] },
  );
  return client.start().catch((error) => {
    vscode.window.showErrorMessage(
      `clusterprint could not be started (${error.message}): in a checkout of clusterprint: pip install '.[lsp]'; ` +
        "or say where it is in the setting clusterprint.command",
    );
  });
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("clusterprint.restart", async () => {
      await deactivate();
      await start();
    }),
  );
  await start();
}

async function deactivate() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop().catch(() => {});
  }
}

module.exports = { activate, deactivate };
