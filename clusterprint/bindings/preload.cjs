// Node runs this before the engine.
//
// The engine keeps a stack trace with every value that stands for another, several hundred per stack: a
// tenth of its time and most of its memory, for messages that we never show. Errors keep theirs.
Error.captureStackTrace = () => {};
