#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommandLine } from "#cli/command-line.ts";

const args = process.argv.slice(2);

if (args[0] === "serve") {
  // A server keeps working when the reader of its log is gone or its disk is full.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
} else {
  // A reader that went away (`drover … | head`) is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}

process.exitCode = await runCommandLine(args, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  readFile: async (path) => (path === "-" ? readFileSync(0, "utf8") : await readFile(path, "utf8")),
  sleep: async (ms) => await sleep(ms),
  isInteractive: process.stdout.isTTY,
  columns: process.stdout.columns,
  hasColours: process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "",
  searchPath: process.env["PATH"] ?? "",
  env: process.env,
});
