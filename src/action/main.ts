import { appendFile, readFile } from "node:fs/promises";
import process from "node:process";
import { runAction } from "#action/run-action.ts";

const stopping = new AbortController();
// A second one ends the process at once.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());

process.exitCode = await runAction({
  env: process.env,
  out: (text) => process.stdout.write(text),
  readFile: async (path) => await readFile(path, "utf8"),
  appendFile: async (path, text) => await appendFile(path, text),
  signal: stopping.signal,
});
