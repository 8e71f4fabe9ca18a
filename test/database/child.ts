import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { build } from "esbuild";

/** Inside the project, so that the child finds its packages. */
const cache = "node_modules/.cache/drover/children";

/** A process of our own code that can really be killed. */
export interface Child {
  readonly pid: number;
  /** What it has said so far, line by line. */
  readonly lines: readonly string[];
  /** Waits until it has said so many lines, or has ended. */
  waitForLines(count: number): Promise<void>;
  /** Closes its standard input, after which it should end. */
  end(): Promise<void>;
  readonly kill: () => Promise<void>;
}

/** Makes a script that Node can run of a file in this folder. */
export async function bundleChild(file: string): Promise<string> {
  const target = join(process.cwd(), cache, `${basename(file, ".ts")}.mjs`);
  const draft = `${target}.${process.pid}.mjs`;
  await mkdir(join(process.cwd(), cache), { recursive: true });
  await build({
    entryPoints: [join(import.meta.dirname, file)],
    outfile: draft,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "silent",
  });
  await rename(draft, target);
  return target;
}

export function startChild(script: string, args: readonly string[]): Child {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [script, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // One that was killed reads nothing any more.
  child.stdin.on("error", () => undefined);
  const closed = once(child, "close");
  const lines: string[] = [];
  let wake = doNothing;
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  return {
    pid: child.pid ?? 0,
    lines,
    waitForLines: async (count) => {
      const enough = new Promise<void>((resolve) => {
        wake = () => (lines.length >= count ? resolve() : undefined);
        wake();
      });
      await Promise.race([enough, closed]);
    },
    end: async () => {
      child.stdin.end();
      await closed;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

function doNothing(): void {
  // Nobody waits yet.
}
