// The host of the engine in one process; node.py puts this file beside jsii's own.
//
// jsii starts a Node that starts a second one, and passes every message on through pipes: a tenth of a second at
// the start, and a quarter of the time of each request. The host in that second Node talks on descriptor 3.
// Here these are standard input and output; what the engine prints goes to standard error.
const fs = require("fs");
const { readSync, writeSync } = fs;

fs.readSync = (from, ...rest) => readSync(from === 3 ? 0 : from, ...rest);
fs.writeSync = (to, ...rest) => writeSync(to === 3 ? 1 : to, ...rest);
process.stdout.write = process.stderr.write.bind(process.stderr);
// It looks here whether packages may be links to jsii's cache, and not copies: they may, by NODE_OPTIONS.
process.execArgv.push("--preserve-symlinks");
require("../lib/program.js");
