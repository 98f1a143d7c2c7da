// Node runs this before the engine.
//
// The engine keeps a stack trace with every value that stands for another, several hundred per stack: a
// tenth of its time and most of its memory, for messages that we never show. Errors keep theirs.
Error.captureStackTrace = () => {};

// What packs archives of assets is read when one is packed, and no stack of ours has any: a tenth of the
// engine's start.
const modules = require("module");
const load = modules._load;
modules._load = (name, ...rest) =>
  name === "archiver" ? (...options) => load(name, ...rest)(...options) : load(name, ...rest);
