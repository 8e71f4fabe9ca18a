import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import * as z from "zod";
import type { HuntOrder, HuntWord } from "./hunt.ts";

export interface HuntLimits {
  /** No seed takes this long, by far, unless it never ends. The start of the process is no part of the first one. */
  readonly seedMs: number;
  /** For all seeds together, and the start. */
  readonly allMs: number;
}

export type HuntEnd =
  | { readonly kind: "failed"; readonly seed: number; readonly problem: string; readonly seeds: number }
  /** One seed took too long. */
  | { readonly kind: "hung"; readonly seed: number; readonly seeds: number }
  /** Nothing was found, in all seeds or in the time that there was. */
  | { readonly kind: "passed"; readonly seeds: number };

const Word: z.ZodType<HuntWord> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("begins"), seed: z.number() }),
  z.object({ kind: z.literal("failed"), seed: z.number(), problem: z.string() }),
  z.object({ kind: z.literal("passed") }),
]);

/** Runs a script that hunts, and ends it when it takes too long. */
export function runHunt(script: string, order: HuntOrder, limits: HuntLimits): Promise<HuntEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "pipe"] });
    let begun = 0;
    let seed = 0;
    let end: HuntEnd | undefined;
    let errors = "";
    const endWith = (found: HuntEnd): void => {
      end ??= found;
      child.kill("SIGKILL");
    };
    const all = setTimeout(() => endWith({ kind: "passed", seeds: begun }), limits.allMs);
    let one: NodeJS.Timeout | undefined;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const word = Word.parse(JSON.parse(line));
      if (word.kind === "passed") end ??= { kind: "passed", seeds: begun };
      else if (word.kind === "failed") end ??= { ...word, seeds: begun };
      else {
        begun++;
        ({ seed } = word);
        clearTimeout(one);
        one = setTimeout(() => endWith({ kind: "hung", seed, seeds: begun }), limits.seedMs);
      }
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString("utf8");
    });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(all);
      clearTimeout(one);
      // A process that ends without a word was broken by the seed that it was at.
      const problem = `the process broke: ${
        errors
          .trim()
          .split("\n")
          .find((line) => line.includes("Error")) ?? "without a word"
      }`;
      resolve(end ?? { kind: "failed", seed, problem, seeds: begun });
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(order));
  });
}
